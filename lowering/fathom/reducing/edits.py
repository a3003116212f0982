"""Edits of a text: what goes takes its line and the comments right above it along, and what stays keeps its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from fathom.records import NamedTuple

COMMENT: Final = "//"


class Replacement(NamedTuple):
    """What takes the place of a stretch of the text."""

    start: int
    end: int
    text: str = ""


Edit: TypeAlias = "Sequence[Replacement]"
"""What is done at once. One that stands in another, or begins where that does, goes with it."""


def applied(text: str, edit: Iterable[Replacement]) -> str:
    """The text after an edit."""
    parts: list[str] = []
    at = 0
    for start, end, new in sorted(edit, key=lambda replacement: (replacement.start, -replacement.end)):
        if start < at:
            continue
        parts += (text[at:start], new)
        at = end
    return "".join((*parts, text[at:]))


def removal(text: str, start: int, end: int) -> Replacement:
    """What takes away a stretch: with its line, if nothing else stands there, and the comments right above that."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    last = len(text) if last < 0 else last
    behind = text[end:last].strip()
    if text[first:start].strip():
        return Replacement(start, end)
    if behind and not behind.startswith(COMMENT):
        return Replacement(start, end + len(text[end:last]) - len(text[end:last].lstrip(" \t")))
    first, last = _with_comments(text, first), min(last + 1, len(text))
    behind = text.find("\n", last) + 1
    if (not first or text[:first].endswith("\n\n")) and behind and not text[last:behind].strip():
        last = behind  # Of the empty lines around it one is enough.
    return Replacement(first, last)


def _with_comments(text: str, start: int) -> int:
    """Where the comments begin that stand right above a line; those at the beginning of a text are of the whole."""
    first = start
    while first > 0:
        line = text.rfind("\n", 0, first - 1) + 1
        if not text[line:first].lstrip().startswith(COMMENT):
            return first
        first = line
    return start


def indentation(text: str, place: int) -> str:
    """The white space at the beginning of the line of a place."""
    first = text.rfind("\n", 0, place) + 1
    line = text[first:place]
    return line[: len(line) - len(line.lstrip())]


def moved_out(text: str, old: str, new: str) -> str:
    """Lines with another indentation, of which the first stands behind what its line begins with."""
    first, *lines = text.split("\n")
    return "\n".join([first, *(new + line.removeprefix(old) if line.startswith(old) else line for line in lines)])
