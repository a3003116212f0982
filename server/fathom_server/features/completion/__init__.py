"""Completion: what can stand where the cursor is. The word before the cursor, or its sign, says of what kind it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fathom_server.features.completion.names import aliases, blocks, symbols
from fathom_server.features.completion.operations import operations
from fathom_server.features.completion.position import Position, position_at
from fathom_server.features.completion.suggestion import Completions, Suggestion
from fathom_server.features.completion.values import values
from fathom_server.features.completion.words import words
from fathom_server.model.snapshot import Snapshot

MOST: Final = 1000
"""So many suggestions are made; a client asks again as the word grows."""

_BY_SIGN: Final[Mapping[str, Callable[[Snapshot, Position], Iterator[Suggestion]]]] = {
    "%": values,
    "@": symbols,
    "^": blocks,
    "!": aliases,
    "#": aliases,
}


def completion(snapshot: Snapshot, offset: int) -> Completions | None:
    """What can stand at an offset; None in a comment, in a string, and where a new name is given."""
    position = position_at(snapshot, offset)
    if position is None:
        return None
    make = _BY_SIGN.get(position.sign)
    if make is None:
        make = operations if position.begins_operation else words
    found: list[Suggestion] = []
    for each in make(snapshot, position):
        if each.label.startswith(position.word):
            found.append(each)
        if len(found) == MOST:
            break
    return Completions(position.start, position.end, tuple(found), len(found) == MOST)
