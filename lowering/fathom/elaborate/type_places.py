"""Where in the text of an operation a type is written, for who underlines it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.operation import Span
from fathom.ir.types import Type

MOST: Final = 8
"""So many types of an operation are looked at."""
LONGEST: Final = 10_000
"""In so many characters of its text."""

_TYPE: Final = re.compile(r"(?<![\w.$-])(?:memref|tensor|vector|tuple|complex)<|![\w$-][\w$.-]*<?")
_ALIAS: Final = re.compile(r"^[#!][\w$-][\w$.-]*[ \t]*=.*$", re.MULTILINE)


class TypePlaces:
    """Looks types up in the text of an item. `aliases` gives the text of what aliases are defined by, and is asked when
    one is met."""

    def __init__(self, text: str, aliases: Callable[[], str], context: Context) -> None:
        self._text = text
        self._aliases = aliases
        self._context = context
        self._known: dict[str, Type | None] = {}

    def place(self, where: Span, wanted: Type) -> Span | None:
        """Where a type is first written in a part of the text; None where it is not."""
        for start, end in _types(self._text, where.start, min(where.end, where.start + LONGEST)):
            if self._type(self._text[start:end]) == wanted:
                return Span(start, end)
        return None

    def _type(self, text: str) -> Type | None:
        if text not in self._known:
            aliases = "\n".join(_ALIAS.findall(self._aliases())) if "#" in text or "!" in text else ""
            loaded = load(f'{aliases}\n%0 = "a.b"() : () -> {text}\n', self._context)
            made = next((op for region in loaded.module.regions for op in region.operations()), None)
            self._known[text] = made.results[0].type if made is not None and len(made.results) == 1 else None
        return self._known[text]


def _types(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for _, match in zip(range(MOST), _TYPE.finditer(text, start, end), strict=False):
        last = match.end()
        depth = match[0].endswith("<")
        while depth and last < end:
            depth += (text[last] == "<") - (text[last] == ">" and text[last - 1] != "-")
            last += 1
        if not depth:
            yield match.start(), last
