"""Semantic tokens: what each word of a document is, read off its tree; whole, for a range, or as what has changed since
the client was last told.

What is sent of an item is kept with the item, in numbers that count from its beginning. So an edit costs the items that
it touched: what changed since a version are the items that it had and this one has not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from fathom.context import Context
from fathom.records import record
from fathom.slices import paced
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom.text.encodings import Encoding
from fathom_server.features.semantic_tokens.roles import roles_in
from fathom_server.features.semantic_tokens.scopes import Marks, marks_after, marks_of, prepare
from fathom_server.features.semantic_tokens.segments import SIZE, Segment, joined, segment_of
from fathom_server.model.snapshot import Snapshot

LONG: Final = 100
"""An item of so many statements is long."""
MOST_TOLD: Final = 4
"""Of so many versions that a client was told of the items are kept, so that it can be told what has changed since."""


@record
class Tokens:
    """The tokens of a text: the numbers of the protocol, with commas between them. `version` names what was told."""

    version: str
    numbers: str


@record
class Replaced:
    """So many numbers from `start` on give way to others."""

    start: int
    removed: int
    numbers: str


@record
class Changes:
    """What changed in the numbers since they were last told."""

    version: str
    replaced: tuple[Replaced, ...]


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
    items, of_item = snapshot.tree.items, segments_in(snapshot.context, encoding)
    first, removed, added = former.difference(items)
    if removed == added == 1:
        _follow(former[first], items[first], snapshot.context)
    gone = [segment for item in islice(former.from_index(first), removed) for segment in of_item(item)]
    come = [segment for item in islice(items.from_index(first), added) for segment in of_item(item)]
    before, line = _before(snapshot, first, encoding)
    same = _same(gone, come)
    for segment in gone[:same]:
        before += segment.size
        line = segment.lines - segment.last if segment.size else line + segment.lines
    gone, come = gone[same:], come[same:]
    same = _same(gone[::-1], come[::-1])
    following = gone[len(gone) - same :]
    rest = chain(following, (segment for item in items.from_index(first + added) for segment in of_item(item)))
    after = _lines_to_first(rest)
    old = _texts(gone[: len(gone) - same], line, after)
    new = _texts(come[: len(come) - same], line, after)
    replaced = _difference(old, new, before * SIZE)
    return Changes(_told(snapshot), (replaced,) if replaced is not None else ())


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
def _counts_in(context: Context, encoding: Encoding) -> Callable[[Chunk[Item]], int]:
    """The function that counts the tokens of a chunk of items."""
    of_item = segments_in(context, encoding)
    return lambda chunk: sum(segment.size for item in chunk.elements for segment in of_item(item))


# ---- changes


def _told(snapshot: Snapshot) -> str:
    """Notes that the client is told of the tokens of a version, and gives the name of that."""
    version, told = f"{snapshot.context.generation}.{snapshot.version}", snapshot.memory.told
    told.pop(version, None)
    told[version] = snapshot.tree.items
    while len(told) > MOST_TOLD:
        del told[next(iter(told))]
    return version


def _before(snapshot: Snapshot, index: int, encoding: Encoding) -> tuple[int, int]:
    """How many tokens stand before an item, and how many lines before it the last of them does."""
    items, of_item = snapshot.tree.items, segments_in(snapshot.context, encoding)
    number = items.chunk_of(index) if index < len(items) else len(items.chunks)
    count_in = _counts_in(snapshot.context, encoding)
    count = sum(chunk.known(count_in) for chunk in items.chunks[:number])
    start = items.starts[number] if number < len(items.chunks) else len(items)
    count += sum(segment.size for item in items[start:index] for segment in of_item(item))
    lines = 0
    for current in (segment for at in range(index - 1, -1, -1) for segment in reversed(of_item(items[at]))):
        if current.size:
            return count, lines + current.lines - current.last
        lines += current.lines
    return count, lines


def _same(one: Sequence[Segment], other: Sequence[Segment]) -> int:
    """How many stretches are the same at the beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _lines_to_first(segments: Iterable[Segment]) -> int | None:
    """How many lines stand before the first token of stretches; None if there is none."""
    lines = 0
    for segment in paced(segments):
        if segment.size:
            return lines + segment.first
        lines += segment.lines
    return None


def _texts(segments: Sequence[Segment], line: int, after: int | None) -> list[str]:
    """The numbers of stretches, the first of which begins so many lines behind the last token before; and the first one
    of the token that comes so many lines `after` them."""
    whole = joined(segments)
    texts = whole.numbers(line + whole.first).split(",") if whole.size else []
    if after is not None:
        texts.append(str(after + (whole.lines - whole.last if whole.size else line + whole.lines)))
    return texts


def _difference(old: list[str], new: list[str], base: int) -> Replaced | None:
    """Where two lists of numbers differ, which begin at the place `base`; None if they are equal."""
    if old == new:
        return None
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    return Replaced(base + start, len(old) - start - end, ",".join(new[start : len(new) - end]))
