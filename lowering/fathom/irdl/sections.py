"""The text of a description in sections, each read when it is asked for, and places in it.

A description is TOML. Its tables `[op.add]`, `[type.token]` and so on are many, and few are needed at a time, so the
text is cut at their headers, which costs a regular expression, and each table is read by itself. Where that cannot be
right (a header inside a string, a name used twice) the text is read as a whole, which finds the mistake.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from fathom.irdl.plain_toml import plain_table
from fathom.records import record

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value]"
Table: TypeAlias = "dict[str, Value]"

HEADER: Final = re.compile(r'^\[([A-Za-z_]+)\.(?:"([^"\n\\]+)"|([\w-]+))\][ \t]*(?:#.*)?$', re.MULTILINE)


@record
class Mistake:
    """What is wrong with a description, and where: the file, the key, and the offset in its text with line and column,
    which count from 1."""

    message: str
    origin: str
    key: str
    offset: int
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.origin}:{self.line}:{self.column}: {self.key + ': ' if self.key else ''}{self.message}"


@record
class _Section:
    start: int
    end: int
    whole: Table | None = None
    """The table itself, where it was read with the rest of the text."""


def _read(text: str) -> Table | None:
    """The table that a part of a description is; None where it is none."""
    table = plain_table(text)
    if table is not None:
        return table
    import tomllib

    try:
        return cast("Table", tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


class Sections:
    """The tables of a text by kind and name, `("op", "add")`."""

    def __init__(self, text: str, origin: str) -> None:
        self.text = text
        self.origin = origin
        self.mistakes: list[Mistake] = []
        self.kept: list[Mistake] = []
        """What is not wrong, but not understood, so that texts of it are kept as they are written."""
        self.top: Table = {}
        self._sections: dict[str, dict[str, _Section]] = {}
        self._tables: dict[tuple[str, str], Table] = {}
        headers = list(HEADER.finditer(text))
        first = headers[0].start() if headers else len(text)
        top = _read(text[:first])
        if top is None:
            self._read_whole()
            return
        self.top = top
        ends = [*(header.start() for header in headers), len(text)][1:]
        for header, end in zip(headers, ends, strict=True):
            by_name = self._sections.setdefault(header[1], {})
            name = header[2] or header[3]
            if name in by_name:
                self._read_whole()
                return
            by_name[name] = _Section(header.end(), end)
        for kind, tables in list(self.top.items()):
            if isinstance(tables, dict) and kind != "dialect":
                self._add_inline(kind, tables)

    def _add_inline(self, kind: str, tables: Mapping[str, Value]) -> None:
        """Tables that are written without a header of their own, `op.add = {…}`."""
        for name, table in tables.items():
            if isinstance(table, dict):
                match = re.search(rf'^(?:{kind}\.)?"?{re.escape(name)}"?\s*=', self.text, re.MULTILINE)
                start = match.start() if match else 0
                end = self.text.find("\n", start)
                section = _Section(start, end if end >= 0 else len(self.text), table)
                self._sections.setdefault(kind, {})[name] = section

    def _read_whole(self) -> None:
        import tomllib

        self._sections = {}
        try:
            self.top = cast("Table", tomllib.loads(self.text))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            match = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            lines = self.text.split("\n")
            line, column = (int(match[1]), int(match[2])) if match else (len(lines), len(lines[-1]) + 1)
            offset = sum(len(line_text) + 1 for line_text in lines[: line - 1]) + column - 1
            message = re.sub(r" \(at .*\)$", "", str(error)) or "nested too deeply"
            self.mistakes.append(Mistake(message, self.origin, "", offset, line, column))
            return
        for kind, tables in self.top.items():
            for name, table in tables.items() if isinstance(tables, dict) else ():
                if not isinstance(table, dict):
                    continue
                header = re.search(rf'^\[{kind}\.(?:"{re.escape(name)}"|{re.escape(name)})\]', self.text, re.MULTILINE)
                start = header.end() if header else 0
                following = HEADER.search(self.text, start)
                end = following.start() if following else len(self.text)
                self._sections.setdefault(kind, {})[name] = _Section(start, end, table)

    @property
    def kinds(self) -> list[str]:
        return list(self._sections)

    def names(self, kind: str) -> list[str]:
        """The names of the tables of a kind, in the order of the text."""
        return list(self._sections.get(kind, ()))

    def has(self, kind: str, name: str) -> bool:
        return name in self._sections.get(kind, ())

    def table(self, kind: str, name: str) -> Table:
        """The table of this kind and name, which there is; empty where it cannot be read, which is then a mistake."""
        key = kind, name
        table = self._tables.get(key)
        if table is not None:
            return table
        section = self._sections[kind][name]
        if section.whole is not None:
            return self._tables.setdefault(key, section.whole)
        table = _read(self.text[section.start : section.end])
        if table is None:
            self._read_whole()
            if not self.has(kind, name):
                return {}
            table = self._sections[kind][name].whole or {}
        return self._tables.setdefault(key, table)

    # ---- places

    def mistake(self, message: str, kind: str, name: str, key: str = "", text: str = "", column: int = 0) -> Mistake:
        """A mistake in a table, at a key, and in it at a column of the string `text`."""
        section = self._sections.get(kind, {}).get(name)
        offset, end = (section.start, section.end) if section is not None else (0, len(self.text))
        path = ".".join(part for part in (kind, name) if part)
        if section is not None and not key:
            offset = self.text.rfind("[", 0, offset) if self.text[offset - 1 : offset] == "]" else offset
        if key:
            bare = re.match(r"[^\[]*", key)
            match = re.compile(rf'^[ \t]*"?{re.escape(bare[0] if bare else key)}"?[ \t]*=', re.MULTILINE).search(
                self.text, offset, end
            )
            if match is None:
                match = re.compile(rf'["{{, ]{re.escape(bare[0] if bare else key)}"?[ \t]*=').search(
                    self.text, offset, end
                )
            offset = match.start() + len(match[0]) - len(match[0].lstrip()) if match else offset
            path = f"{path}.{key}" if path else key
        if text:
            inside = self.text.find(text, offset, end)
            if inside < 0:
                # An escaped string: its beginning is near enough.
                inside = self.text.find('"', offset, end)
                column = 1
            if inside >= 0:
                offset = inside + column
        line = self.text.count("\n", 0, offset) + 1
        start = self.text.rfind("\n", 0, offset) + 1
        return Mistake(message, self.origin, path, offset, line, offset - start + 1)
