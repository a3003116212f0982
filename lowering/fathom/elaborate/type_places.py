"""Where in the text of an operation a type is written, for who underlines it."""

from __future__ import annotations

import re
from collections.abc import Iterator
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


def place_of_type(text: str, where: Span, wanted: Type, context: Context) -> Span | None:
    """Where a type is first written in a part of a text; None where it is not, or in another way than by its name."""
    aliases = "\n".join(_ALIAS.findall(text))
    for start, end in _types(text, where.start, min(where.end, where.start + LONGEST)):
        loaded = load(f'{aliases}\n%0 = "a.b"() : () -> {text[start:end]}\n', context)
        made = next((op for op in loaded.module.walk() if op.name == "a.b"), None)
        if made is not None and [each.type for each in made.results] == [wanted]:
            return Span(start, end)
    return None


def _types(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for _, found in zip(range(MOST), _TYPE.finditer(text, start, end), strict=False):
        last = found.end()
        depth = found[0].endswith("<")
        while depth and last < end:
            depth += (text[last] == "<") - (text[last] == ">" and text[last - 1] != "-")
            last += 1
        if not depth:
            yield found.start(), last
