"""Long literals, such as the weights of a model: text that lines carry and that nothing looks into before it must.

A line that carries some keeps its text as it is, once, and is read in its *short* form, which has an empty string in
the place of each. So splitting such a line into holes, lexing it and finding its shape cost what is left of it. A long
list of numbers is carried as if it were a string: where a list of elements may stand a string may too.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, cast

STRING: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'

LONG: Final = 1000
"""The number of characters from which on a literal is carried."""
SHOWN: Final = 40
"""How much of a literal stands for it where one is shown."""
MOST_RANKS: Final = 8
"""How deep the brackets of a list that is carried may nest."""

NUMBER: Final = r"-?(?:0x[0-9a-fA-F]++|[0-9]++(?:\.[0-9]*+(?:[eE][-+]?[0-9]++)?)?+|true|false)"
"""An element of a list."""

Kind: TypeAlias = Literal["digits", "string", "elements"]
"""A string of hexadecimal digits after `0x`, any other string, or a list of numbers in brackets."""


def _elements() -> str:
    """A list of numbers and of such lists, well-formed but for the lengths of the lists."""
    item = NUMBER
    for _ in range(MOST_RANKS):
        item = rf"(?:{NUMBER}|\[[ \t]*+(?:{item}[ \t]*+(?:,[ \t]*+(?!\])|(?=\])))*+\])"
    return item


_SOUGHT: Final = re.compile(
    rf'//.*|(?P<digits>"0x[0-9A-Fa-f]*+")|(?P<string>{STRING})|(?P<elements>(?=\[(?<=dense<\[)){_elements()})'
)


class LongLiteral:
    """Where a literal stands in its line, and what was found out about it; that speaks of no line, so that it keeps
    none."""

    __slots__ = ("end", "kind", "known", "start")

    def __init__(self, kind: Kind, start: int, end: int) -> None:
        self.kind: Kind = kind
        self.start = start
        self.end = end
        self.known: object = None


class Carrier(str):
    """A line that carries long literals. `literals` are these by their columns in the `short` form."""

    __slots__ = ("literals", "short")

    literals: dict[int, LongLiteral]
    short: str


class Carried(str):
    """Stands for a long literal as the text of a token or hole: its beginning. `line` is where the whole of it is to be
    had; None in what a shape keeps, which is to keep no line."""

    __slots__ = ("line", "literal")

    line: Carrier | None
    literal: LongLiteral

    @classmethod
    def of(cls, line: Carrier, literal: LongLiteral) -> Carried:
        """The literal of a line."""
        carried = cls(line[literal.start : literal.start + SHOWN] + "…")
        carried.line = line
        carried.literal = literal
        return carried

    def alone(self) -> Carried:
        """The same without its line."""
        carried = Carried(self)
        carried.line = None
        carried.literal = self.literal
        return carried

    @property
    def whole(self) -> str:
        """All of the literal, as it is written: a copy."""
        return self.line[self.literal.start : self.literal.end] if self.line is not None else str(self)

    @property
    def width(self) -> int:
        """How many characters it takes."""
        return self.literal.end - self.literal.start


def whole(text: str) -> str:
    """The whole text of a hole."""
    return text.whole if isinstance(text, Carried) else text


def width(text: str) -> int:
    """How many characters the text of a token or hole takes in its line."""
    return text.width if isinstance(text, Carried) else len(text)


def short(line: str) -> str:
    """The short form of a line: itself unless it carries something."""
    return line.short if isinstance(line, Carrier) else line


def carry(line: str) -> str:
    """The line, as one that carries its long literals if it has any."""
    if len(line) < LONG:
        return line
    literals: dict[int, LongLiteral] = {}
    parts: list[str] = []
    position, taken = 0, 0
    for match in _SOUGHT.finditer(line):
        start, end = match.span()
        kind = cast("Kind | None", match.lastgroup)
        if kind is None or end - start < LONG or line[start - 1 : start] == "@":
            continue
        parts += line[position:start], '""'
        taken += start - position
        literals[taken] = LongLiteral(kind, start, end)
        taken += 2
        position = end
    if not literals:
        return line
    parts.append(line[position:])
    carrier = Carrier(line)
    carrier.literals = literals
    carrier.short = "".join(parts)
    return carrier
