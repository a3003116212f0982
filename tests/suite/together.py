"""mlir-opt's answers about many files at once: one process for many of them, since its start costs more than a file.

What it says goes to where `tests.suite.answers` keeps it. Nothing is kept of a file whose answer may depend on its
neighbours, or where one of them ends the process or holds it up: it is asked about alone, when its answer is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from tests.suite.answers import SEPARATOR, Piece, ask_whole, is_remembered, remember, tells_lines

MOST = 60_000
"""How many characters are asked about at once."""
NAMED_TYPE = 'struct<"'
"""A type of this name is the same in all pieces that one process reads."""


def ask_together(files: Sequence[list[Piece]], forms: Mapping[str, list[str]]) -> None:
    """Asks about the files, each given by its pieces, that nothing is known of."""
    for batch in _batches([pieces for pieces in files if _is_alone(pieces) and not is_remembered(pieces, forms)]):
        _ask(batch, forms)


def _is_alone(pieces: list[Piece]) -> bool:
    return not any(NAMED_TYPE in piece.text for piece in pieces)


def _batches(files: Sequence[list[Piece]]) -> Iterator[list[list[Piece]]]:
    batch: list[list[Piece]] = []
    size = 0
    for pieces in files:
        length = sum(len(piece.text) for piece in pieces)
        if batch and size + length > MOST:
            yield batch
            batch, size = [], 0
        batch.append(pieces)
        size += length
    if batch:
        yield batch


def _ask(batch: list[list[Piece]], forms: Mapping[str, list[str]]) -> None:
    joined: list[Piece] = []
    line = 0
    for pieces in batch:
        for piece in pieces:
            joined.append(Piece("", len(joined), line, piece.text))
            line += piece.text.count("\n")
    rest = iter(ask_whole(SEPARATOR.join(piece.text for piece in joined), joined, forms) or ())
    for pieces in batch:
        answers = list(islice(rest, len(pieces)))
        if answers and not any(map(tells_lines, answers)):
            remember(pieces, forms, answers)
