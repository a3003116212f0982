"""The items of a text: which statements belong together.

A statement in a container is an item, with the blank lines and comments before it and all that is nested in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fathom.syntax.pieces import Piece, Pieces, last_statement
from fathom.syntax.sequence import ChunkedSequence, chunked
from fathom.syntax.shapes import ShapeMemory
from fathom.syntax.tree import Item

BIG: Final = 1000
"""Of a function of so many statements, the texts of the holes are kept until it is elaborated, which saves a tenth of
the time. For small ones it is not worth the memory, since there may be many that wait; aliases of locations wait until
somebody asks for one."""


class Grouping:
    """Puts statements together to items: a statement in a container, with the blank lines and comments before it and
    all that is nested in it. Aliases of locations, line after line, are one item."""

    def __init__(self, memory: ShapeMemory, *, keeps_holes: bool = False) -> None:
        """With `keeps_holes`, the texts of the holes are kept until somebody elaborates, of small functions too."""
        self._memory = memory
        self._keeps_holes = keeps_holes
        self._items: list[Item] = []
        self._known: Pieces = ChunkedSequence()
        self._new: list[Piece] = []
        self.only_trivia = True
        """Whether there is nothing yet in the present item but blank lines and comments."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing yet in the present item."""
        return not self._new and not self._known.chunks

    def is_listed(self, piece: Piece) -> bool:
        """Whether a statement goes on with the list of aliases that the present item is."""
        return not self.is_empty and _are_listed(self._new[-1] if self._new else self._known[-1], piece)

    def read(self, pieces: Iterable[Piece]) -> None:
        """Takes in statements, one by one."""
        new, only_trivia = self._new, self.only_trivia
        for piece in pieces:
            if piece.shape.begins_split:
                self._take_split(piece)
                new, only_trivia = self._new, True
                continue
            if not only_trivia and begins_item(piece) and not self.is_listed(piece):
                self._end_item()
                new, only_trivia = self._new, True
            new.append(piece)
            only_trivia = only_trivia and piece.shape.is_trivia
        self.only_trivia = only_trivia

    def _take_split(self, piece: Piece) -> None:
        """A line `// -----` is an item of its own."""
        if not self.is_empty:
            self._end_item()
        self._new.append(piece)
        self._end_item()

    def extend(self, pieces: Pieces) -> None:
        """Takes in statements that stand together in an item.

        If any of them begins one, that is the first of them or, with only comments between, one after it.
        """
        if not pieces:
            return
        if pieces[0].shape.begins_split:
            self._take_split(pieces[0])
            return
        if not self.only_trivia and begins_item(pieces[0]) and not self.is_listed(pieces[0]):
            self._end_item()
        self._known = self._known.joined(self._new, pieces) if self._known or self._new else pieces
        self._new = []
        self.only_trivia = self.only_trivia and last_statement(pieces, len(pieces)) < 0

    def end(self) -> list[Item]:
        """The items of all that was taken in."""
        if not self.is_empty:
            self._end_item()
        return self._items

    def _end_item(self) -> None:
        pieces = self._known.joined(self._new, ChunkedSequence()) if self._known else chunked(self._new)
        last = pieces[-1]
        if (len(pieces) < BIG and not self._keeps_holes) or last.is_location:
            for piece in self._new:
                piece.forget_holes()
        self._items.append(Item(pieces, self._memory.leave(last.frame, last.shape)))
        self._known, self._new, self.only_trivia = ChunkedSequence(), [], True


def begins_item(piece: Piece) -> bool:
    """Whether a statement stands in a container, or ends a function that it does not belong into."""
    return piece.frame.is_container or piece.shape.leaves_function


def _are_listed(one: Piece, other: Piece) -> bool:
    """Whether two statements, one behind the other, are aliases of locations that belong to one item."""
    return one.is_location and other.is_location and one.frame.is_container and other.frame.is_container
