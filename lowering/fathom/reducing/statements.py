"""Statements that go from a text that does not say what it means, because there is a mistake in it: by their braces."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.records import NamedTuple
from fathom.syntax.tree import SyntaxTree


class Stretch(NamedTuple):
    """A statement with what stands between its braces, `depth` deep in others."""

    start: int
    end: int
    depth: int


def stretches(tree: SyntaxTree) -> list[Stretch]:
    """The statements of a text, in its order; what opens a brace goes up to where that is closed."""
    found: list[Stretch] = []
    open_: list[tuple[int, int]] = []
    """The indices of those that are open, and how many braces."""
    for start, end, opened, closed in _braces(tree):
        while closed and open_:
            index, count = open_.pop()
            taken = min(count, closed)
            closed -= taken
            found[index] = found[index]._replace(end=end)
            if count > taken:
                open_.append((index, count - taken))
        found.append(Stretch(start, end, len(open_)))
        if opened:
            open_.append((len(found) - 1, opened))
    return found


def _braces(tree: SyntaxTree) -> Iterator[tuple[int, int, int, int]]:
    """The statements, each with how many braces it opens that others close, and how many it closes that others open."""
    for item, base in tree.items.with_offsets():
        for piece, offset in item.pieces.with_offsets():
            if piece.shape.is_trivia:
                continue
            opened = closed = 0
            for token in piece.shape.tokens:
                opened += token.text == "{"
                if token.text == "}":
                    closed, opened = closed + (not opened), opened - (opened > 0)
            start = base + offset
            yield start + piece.token_span(0)[0], start + piece.end, opened, closed
