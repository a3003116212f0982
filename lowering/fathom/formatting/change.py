"""A change of white space as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fathom.records import record


@record
class Change:
    """White space to put in the place of what stands from one offset of a text to another."""

    start: int
    end: int
    text: str


def put(start: int, end: int, old: str, new: str) -> Iterator[Change]:
    """The change of what stands in a range, if it is another text that shall stand there."""
    if old != new:
        yield Change(start, end, new)


def changed(text: str, changes: Iterable[Change]) -> str:
    """A text after changes, which are in its order."""
    parts: list[str] = []
    last = 0
    for change in changes:
        parts += text[last : change.start], change.text
        last = change.end
    return "".join([*parts, text[last:]])
