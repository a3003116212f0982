"""Long literals, such as the weights of a model: text that lines carry and that nothing looks into before it must.

A line that carries some keeps its text as it is, once, and is read in its *short* form, which has an empty string in
the place of each. So splitting such a line into holes, lexing it and finding its shape cost what is left of it. A long
list of numbers is carried as if it were a string: where a list of elements may stand a string may too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, TypeAlias

from fathom.slices import checkpoint, paced

LONG: Final = 1000
"""The number of characters from which on a literal is carried."""
SHOWN: Final = 40
"""How much of a literal stands for it where one is shown."""
MOST_IN_LINE: Final = 1_000_000
"""A line of more characters than this, not counting what it carries, is carried as a whole, as what cannot be read."""
UNREAD: Final = "\x01"
"""The short form of such a line: a character that begins no token."""
MOST_RANKS: Final = 8
"""How deep the brackets of a list that is carried may nest."""

NUMBER: Final = r"-?(?:0x[0-9a-fA-F]++|[0-9]++(?:\.[0-9]*+(?:[eE][-+]?[0-9]++)?)?+|true|false)"
"""An element of a list."""

Kind: TypeAlias = Literal["digits", "string", "elements", "comment", "line"]
"""A string of hexadecimal digits after `0x`, any other string, a list of numbers in brackets, a line that is a comment
or blank, or one that is too long to be read."""


@cache
def _elements() -> re.Pattern[str]:
    """A list of numbers and of such lists, well-formed but for the lengths of the lists; few texts need it."""
    item = NUMBER
    for _ in range(MOST_RANKS):
        item = rf"(?:{NUMBER}|\[[ \t]*+(?:{item}[ \t]*+(?:,[ \t]*+(?!\])|(?=\])))*+\])"
    return re.compile(rf"(?=\[(?<=dense<\[)){item}")


_DIGITS: Final = re.compile(r'"0x[0-9A-Fa-f]*+"')
_BEGINNINGS: Final = {'"': 0, "//": 0, "dense<[": 6}
"""What something that is sought begins with, and at which of these characters."""


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
    for kind, start, end in _sought(line):
        if end - start < LONG or line[start - 1 : start] == "@":
            continue
        parts += line[position:start], '""'
        taken += start - position
        literals[taken] = LongLiteral(kind, start, end)
        taken += 2
        position = end
    parts.append(line[position:])
    rest = "".join(parts)
    if len(rest) > MOST_IN_LINE:
        end = len(line.rstrip("\r\n"))
        is_comment = _is_comment(rest)
        literals = {0: LongLiteral("comment" if is_comment else "line", 0, end)}
        rest = ("//" if is_comment else UNREAD) + line[end:]
    if not literals:
        return line
    carrier = Carrier(line)
    carrier.literals = literals
    carrier.short = rest
    return carrier


def _string_end(line: str, start: int) -> int:
    """Where the string ends that begins with the quote at `start`; below zero if it does not end. It is looked for by
    its end, since to match a string of 50 MB takes 100 times as long."""
    quote = start
    while (quote := line.find('"', quote + 1)) >= 0:
        checkpoint()
        first = quote
        while line[first - 1] == "\\" and first - 1 > start:
            first -= 1
        if (quote - first) % 2 == 0:
            return quote + 1
    return -1


def _sought(line: str) -> Iterator[tuple[Kind, int, int]]:
    """What is sought in a line, from the left to the right, with its columns."""
    position = 0
    # They are looked for one by one, since to look for any of them takes ten times as long.
    following = {text: line.find(text) for text in paced(_BEGINNINGS)}
    while True:
        checkpoint()
        starts = [place + _BEGINNINGS[text] for text, place in following.items() if place >= 0]
        if not starts:
            return
        position = min(starts)
        if line.startswith("//", position):
            return
        is_string = line[position] == '"'
        match = (_DIGITS if is_string else _elements()).match(line, position)
        end = match.end() if match is not None else _string_end(line, position) if is_string else -1
        if end >= 0:
            yield "elements" if not is_string else "string" if match is None else "digits", position, end
        position = max(end, position + 1)
        for text, place in following.items():
            if 0 <= place < position:
                following[text] = line.find(text, position)


def is_unread(text: str) -> bool:
    """Whether the text of a token stands for a line that is too long to be read."""
    return isinstance(text, Carried) and text.literal.kind == "line"


def _is_comment(line: str) -> bool:
    text = line.lstrip(" \t\n\r\0")
    return not text or text.startswith("//")
