"""What is listed in a text, and one of it taken away with the comma beside it: `(%a, %b)` to `(%a)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.reducing.edits import Edit, Replacement

if TYPE_CHECKING:
    from fathom.reducing.outline import Outline


def commas_between(outline: Outline, first: int, last: int) -> list[int]:
    """The commas among the tokens from one up to another that stand in no bracket there."""
    return [at for at in _top_level(outline, first, last) if outline.words[at].text == ","]


def without_one(outline: Outline, first: int, last: int, number: int) -> Edit | None:
    """The removal of one of those that the tokens from one up to another list; None where there are not so many."""
    words = outline.words
    bounds = [first - 1, *commas_between(outline, first, last), last]
    if number >= len(bounds) - 1 or last <= first:
        return None
    start, end = words[bounds[number]], words[bounds[number + 1]]
    if number:
        return [Replacement(start.start, end.start)]
    if len(bounds) > 2:
        return [Replacement(start.end, words[bounds[1] + 1].start)]
    return [Replacement(start.end, end.start)]


def without_one_in(outline: Outline, index: int, number: int) -> Edit | None:
    """The removal of one of those in the parentheses at a token; None where there are none, or not so many."""
    if index >= len(outline.words) or outline.words[index].text != "(":
        return None
    return without_one(outline, index + 1, outline.closing(index), number)


def _top_level(outline: Outline, first: int, last: int) -> Iterator[int]:
    at = first
    while at < last:
        yield at
        at = outline.closing(at) + 1 if outline.words[at].text in ("(", "[", "{", "<") else at + 1
