"""What elaboration yields: the IR, what is wrong with it, and the map between it and the text."""

from __future__ import annotations

from typing import NamedTuple

from fathom.diagnostics import Diagnostic, Note
from fathom.ir.operation import Block, Operation, Span, Value
from fathom.syntax.tree import Piece


class Place(NamedTuple):
    """A token of the text that is elaborated: the number of the piece, and the token's index in it."""

    piece: int
    token: int


class Elaborated:
    """The IR of a run of items, and the map between it and the text. All offsets count from the first item."""

    def __init__(self, base: int = 0) -> None:
        self.operations: list[Operation] = []
        self.diagnostics: list[Diagnostic] = []
        self.pieces: list[Piece] = []
        self.piece_starts: list[int] = []
        self.uses: dict[Place, Value] = {}
        self.definitions: dict[Value, Place] = {}
        self.blocks: dict[Place, Block] = {}
        self.block_definitions: dict[Block, Place] = {}
        self.op_at: dict[Place, Operation] = {}
        """The operation whose name stands at a place."""
        self.length = base
        self._spans: dict[int, list[tuple[int, int]]] = {}

    def add(self, piece: Piece) -> int:
        """Takes in a piece, and gives its number."""
        self.pieces.append(piece)
        self.piece_starts.append(self.length)
        self.length += piece.length
        return len(self.pieces) - 1

    def span(self, place: Place) -> Span:
        """Where a token stands."""
        spans = self._spans.get(place.piece)
        if spans is None:
            spans = self._spans[place.piece] = self.pieces[place.piece].token_spans()
        start = self.piece_starts[place.piece]
        if not spans:
            return Span(start, start)
        first, last = spans[max(min(place.token, len(spans) - 1), 0)]
        return Span(start + first, start + last)

    def definition_span(self, value: Value) -> Span | None:
        """Where the name of a value is written at its definition."""
        place = self.definitions.get(value)
        return self.span(place) if place is not None else None

    def report(self, message: str, place: Place, *notes: Note, code: str = "elaborate") -> None:
        """Notes an error at a token."""
        self.diagnostics.append(Diagnostic(message, self.span(place), "error", code, notes))

    def note(self, message: str, place: Place | None, *, hint: bool = False) -> tuple[Note, ...]:
        """A note at a token; none where there is no such token."""
        return (Note(message, self.span(place), hint),) if place is not None else ()
