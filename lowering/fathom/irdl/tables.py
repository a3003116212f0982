"""Reading one table of a description: its keys, with a mistake at its place where a value is not what it should be."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from fathom.irdl.expressions import DescriptionError
from fathom.irdl.sections import Sections, Table

T = TypeVar("T")


class TableReader:
    """A table and its place. `is_sound` says whether nothing wrong was found in it."""

    def __init__(self, sections: Sections, kind: str, name: str, table: Table) -> None:
        self.sections = sections
        self.kind = kind
        self.name = name
        self.table = table
        self.is_sound = True

    def report(self, message: str, key: str = "", text: str = "", column: int = 0) -> None:
        """Remembers a mistake at a key, and at a column of the string there."""
        self.is_sound = False
        mistake = self.sections.mistake(message, self.kind, self.name, key, text, column)
        if mistake not in self.sections.mistakes:
            self.sections.mistakes.append(mistake)

    def keep(self, message: str, key: str, column: int = 0) -> None:
        """Remembers that a text at a key is not understood, which is no mistake."""
        mistake = self.sections.mistake(message, self.kind, self.name, key, self.text(key), column)
        if mistake not in self.sections.kept:
            self.sections.kept.append(mistake)

    def only(self, keys: Collection[str]) -> None:
        """Reports keys that are none of these."""
        for key in self.table:
            if key not in keys:
                from difflib import get_close_matches

                near = get_close_matches(key, keys, 1)
                self.report(f"unknown key '{key}'" + (f"; did you mean '{near[0]}'?" if near else ""), key)

    def text(self, key: str) -> str:
        """A string, empty where there is none."""
        value = self.table.get(key, "")
        if not isinstance(value, str):
            self.report("expected a string", key)
            return ""
        return value

    def how_checked(self) -> str:
        """How much of what MLIR checks is checked (`docs/dialects.md`); empty where that is not said."""
        how = self.text("checked")
        if how not in ("", "complete", "declared"):
            self.report('expected "complete" or "declared"', "checked")
            return ""
        return how

    def flag(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            self.report("expected true or false", key)
            return False
        return value

    def integer(self, key: str, default: int) -> int:
        value = self.table.get(key, default)
        if not isinstance(value, int):
            self.report("expected an integer", key)
            return default
        return value

    def texts(self, key: str) -> list[str]:
        """A list of strings, empty where there is none."""
        listed = self.table.get(key)
        if listed is None:
            return []
        texts = [value for value in listed if isinstance(value, str)] if isinstance(listed, list) else []
        if not isinstance(listed, list) or len(texts) < len(listed):
            self.report("expected a list of strings", key)
            return []
        return texts

    def at(self, key: str, text: str, make: Callable[[str], T]) -> T | None:
        """What `make` makes of the string at a key; None if it raised DescriptionError, which is then a mistake."""
        try:
            return make(text)
        except DescriptionError as error:
            self.report(error.message, key, text, error.column)
            return None

    def each(self, key: str, make: Callable[[str], T]) -> list[T]:
        """What `make` makes of the strings of the list at a key."""
        made_values: list[T] = []
        for index, text in enumerate(self.texts(key)):
            made = self.at(f"{key}[{index}]", text, make)
            if made is not None:
                made_values.append(made)
        return made_values
