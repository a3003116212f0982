"""Which brace is not closed, where one is missing.

The text ends, or a function begins in another, and a region is open that no brace closes. Counting says that it is the
outermost; but a closing brace that stands as far to the left as an operation further out, and not as the one that it
closes, was meant for the former: the brace of the latter is missing. White space means nothing to MLIR, so it is asked
only where something is wrong already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fathom.records import NamedTuple
from fathom.slices import paced
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import indentation
from fathom.syntax.pieces import Piece, Pieces
from fathom.syntax.sequence import Chunk


class _Opened(NamedTuple):
    """A region that a statement opens: how far to the right the statement begins, where it stands and which it is."""

    column: int
    start: int
    piece: Piece


def misplaced(pieces: Iterable[tuple[Piece, int]]) -> Iterator[tuple[Piece, int]]:
    """The statements that open a region of which the closing brace was meant for another one, so that their own is
    missing. Given are those that open or close regions, with their offsets."""
    open: list[_Opened] = []
    for piece, start in paced(pieces):
        shape, column = piece.shape, indentation(piece.lines[0])
        closes_first = bool(shape.tokens) and shape.tokens[0].text == "}"
        if closes_first and len(open) > 1 and column < open[-1].column:
            meant = next((index for index in range(len(open) - 1, -1, -1) if open[index].column == column), None)
            if meant is not None:
                yield from ((opened.piece, opened.start) for opened in open[meant + 1 :])
                del open[meant + 1 :]
        del open[len(open) - min(shape.pops, len(open)) :]
        open += [_Opened(column, start, piece)] * len(shape.pushes)


def left_open(pieces: Iterable[tuple[Piece, int]]) -> Iterator[tuple[Piece, int]]:
    """The statements that open a region which is still open at the end, the outermost first."""
    open: list[tuple[Piece, int]] = []
    for piece, start in pieces:
        del open[len(open) - min(piece.shape.pops, len(open)) :]
        open += [(piece, start)] * len(piece.shape.pushes)
    yield from open


def unclosed_in(pieces: Pieces, frame_out: Frame) -> tuple[int, int] | None:
    """The brace of the region that is still open where an item ends, from its beginning; None where there is none."""
    if frame_out.depth == frame_out.containers:
        return None
    brace = culprit(list(nesting_of(pieces)))
    return brace_of(*brace) if brace is not None else None


def culprit(pieces: Sequence[tuple[Piece, int]]) -> tuple[Piece, int] | None:
    """The statement whose brace is missing, of those that open or close regions, with their offsets."""
    return next(misplaced(pieces), None) or next(left_open(pieces), None)


def nesting_of(pieces: Pieces) -> Iterator[tuple[Piece, int]]:
    """The statements that open or close regions, with their offsets."""
    for start, known in zip(pieces.offsets, pieces.known(_that_nest), strict=False):
        yield from ((piece, start + offset) for piece, offset in known)


def _that_nest(chunk: Chunk[Piece]) -> list[tuple[Piece, int]]:
    pairs = zip(chunk.elements, chunk.offsets, strict=False)
    return [(piece, offset) for piece, offset in pairs if piece.shape.pops or piece.shape.pushes]


def brace_of(piece: Piece, start: int) -> tuple[int, int]:
    """The brace of the first region that a statement opens and leaves open."""
    braces = [i for i, token in enumerate(piece.shape.tokens) if token.text == "{" and token.kind == "PUNCT"]
    first, last = piece.token_spans()[braces[-len(piece.shape.pushes) :][0]]
    return start + first, start + last
