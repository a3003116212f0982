"""Semantic tokens: what each word of a document is, read off its tree; whole, for a range, or as what has changed since
the client was last told.

What is sent of an item is kept with the item, in numbers that count from its beginning. So an edit costs the items that
it touched: what changed since a version are the items that it had and this one has not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from fathom.context import Context
from fathom.slices import paced
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom.text.encodings import Encoding
from fathom_server.features.semantic_tokens.delta import Changes, Reading, Tokens, note, replaced
from fathom_server.features.semantic_tokens.roles import roles_in
from fathom_server.features.semantic_tokens.scopes import Marks, marks_after, marks_of, prepare
from fathom_server.features.semantic_tokens.segments import Segment, joined, segment_of
from fathom_server.model.snapshot import Snapshot

LONG: Final = 100
"""An item of so many statements is long."""


def tokens(snapshot: Snapshot, encoding: Encoding) -> Tokens:
    """The tokens of a document, in the units of an encoding."""
    of_item = segments_in(snapshot.context, encoding)
    whole = joined(segment for item in snapshot.tree.items for segment in of_item(item))
    return Tokens(_told(snapshot), whole.numbers(whole.first))


def changes(snapshot: Snapshot, version: str, encoding: Encoding) -> Changes | Tokens:
    """What changed since a version that was told; all of it, if that is not at hand any more."""
    former = snapshot.memory.told.get(version)
    if former is None:
        return tokens(snapshot, encoding)
    items = snapshot.tree.items
    first, removed, added = place = former.difference(items)
    if removed == added == 1:
        _follow(former[first], items[first], snapshot.context)
    return Changes(_told(snapshot), replaced(former, items, place, _reading_in(snapshot.context, encoding)))


def tokens_between(snapshot: Snapshot, start: int, end: int, encoding: Encoding) -> Tokens:
    """The tokens of the statements between two offsets."""
    tree = snapshot.tree
    if not tree.items:
        return Tokens("", "")
    low, high = tree.item_at_offset(start), tree.item_at_offset(max(end, start))
    roles = roles_in(snapshot.context)
    segments: list[Segment] = []
    line = tree.first_line(low)
    for index in range(low, high + 1):
        item, base = tree.items[index], tree.start(index)
        first, last = item.piece_at(start - base), item.piece_at(end - base)
        if index == low:
            line += item.pieces.line(first)
        marks = _marks(item, snapshot.context)
        pieces = islice(item.pieces.from_index(first), last - first + 1)
        segments += [
            segment_of(piece, marks[number], roles, encoding) for number, piece in enumerate(paced(pieces), first)
        ]
    whole = joined(segments)
    return Tokens("", whole.numbers(line + whole.first))


# ---- items


@lru_cache(maxsize=16)
def segments_in(context: Context, encoding: Encoding) -> Callable[[Item], tuple[Segment, ...]]:
    """The function that gives the tokens of an item, one stretch for each chunk of its statements, and keeps them with
    the item; one for each context and encoding."""
    roles = roles_in(context)

    def remembered(_chunk: Chunk[Piece]) -> list[tuple[Sequence[Marks], Segment]]:
        return []

    def of_chunk(chunk: Chunk[Piece], marks: Sequence[Marks]) -> Segment:
        known = chunk.known(remembered)
        if known and known[0][0] == marks:
            return known[0][1]
        pieces = zip(chunk.elements, marks, strict=True)
        made = joined(segment_of(piece, meaning, roles, encoding) for piece, meaning in pieces)
        known[:] = [(marks, made)]
        return made

    def of_item(item: Item) -> tuple[Segment, ...]:
        if len(item.pieces) == 1 and item.is_trivia:
            return (segment_of(item.pieces[0], (), roles, encoding),)
        known = item.cache.get(of_item)
        if known is None:
            marks = _marks(item, context)
            pieces = item.pieces
            known = item.cache[of_item] = tuple(
                of_chunk(chunk, marks[start : start + len(chunk)])
                for chunk, start in zip(pieces.chunks, pieces.starts, strict=False)
            )
        return known

    return of_item


def _marks(item: Item, context: Context) -> Sequence[Marks]:
    """What is said of the names in each statement of an item; kept for a long one."""
    roles = roles_in(context)
    if len(item.pieces) < LONG:
        return marks_of(item.pieces, roles)
    known = item.cache.get(marks_of)
    if known is None:
        known = item.cache[marks_of] = marks_of(item.pieces, roles)
        prepare(item.pieces, roles)
    return known


def _follow(old: Item, new: Item, context: Context) -> None:
    """Goes on from what is said of the names of a long item to what is after an edit of it."""
    marks = old.cache.get(marks_of) if min(len(old.pieces), len(new.pieces)) >= LONG else None
    if marks is not None and marks_of not in new.cache:
        after = marks_after(old.pieces, marks, new.pieces, roles_in(context))
        if after is not None:
            new.cache[marks_of] = after


@lru_cache(maxsize=16)
def _reading_in(context: Context, encoding: Encoding) -> Reading[Item]:
    """What tells the tokens of items; one for each context and encoding."""
    of_item = segments_in(context, encoding)
    return Reading(of_item, lambda chunk: sum(segment.size for item in chunk.elements for segment in of_item(item)))


def _told(snapshot: Snapshot) -> str:
    """Notes that the client is told of the tokens of a version, and gives the name of that."""
    return note(snapshot.memory.told, f"{snapshot.context.generation}.{snapshot.version}", snapshot.tree.items)
