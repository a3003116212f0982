"""What is selected around a place, from the inside out: the word, the groups and brackets around it, the operation, the
block, the region, what that belongs to up to the function and the modules, the part of the document, the document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from fathom.slices import paced
from fathom.syntax.lexer import SPACE, Token
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item
from fathom_server.model.nesting import Move, turns_of
from fathom_server.model.places import spot_at
from fathom_server.model.snapshot import Snapshot

Range = tuple[int, int]

MOST_SPACE: Final = 200
"""So many characters of white space at the ends of a range are left out."""

_CLOSING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENING: Final = frozenset(_CLOSING.values())
_DIVIDES: Final = frozenset((":", "->", "="))
"""The signs between the groups of a statement."""


def selections(snapshot: Snapshot, offsets: Sequence[int]) -> list[list[Range]]:
    """For each offset the ranges around it, each inside the next."""
    return [_around(snapshot, offset) for offset in offsets]


def _around(snapshot: Snapshot, offset: int) -> list[Range]:
    ranges: list[Range] = [(offset, offset)]
    for start, end in _candidates(snapshot, offset):
        inner = ranges[-1]
        if start <= inner[0] and inner[1] <= end and (start, end) != inner:
            ranges.append((start, end))
    return ranges[1:] or ranges


def _candidates(snapshot: Snapshot, offset: int) -> Iterator[Range]:
    """Ranges around an offset; not all of them need be around those before."""
    tree = snapshot.tree
    if not tree.items:
        return
    spot = spot_at(snapshot, offset)
    if spot is not None:
        yield spot.start, spot.end
        yield from _in_statement(spot.piece, spot.index, spot.item_start + spot.piece_start)
        item, start = spot.item, spot.item_start
    else:
        index = tree.item_at_offset(offset)
        item, start = tree.items[index], tree.start(index)
        yield _line(snapshot, offset)
    inside = [extent for extent in _in_item(item, offset - start) if extent[0] <= offset - start <= extent[1]]
    for low, high in sorted(inside, key=lambda extent: extent[1] - extent[0]):
        # What stands in braces begins and ends with white space, which need not all be gone through.
        head = item.text_between(low, min(low + MOST_SPACE, high))
        tail = item.text_between(max(high - MOST_SPACE, low), high)
        yield start + low + len(head) - len(head.lstrip(SPACE)), start + high - len(tail) + len(tail.rstrip(SPACE))
    index = tree.index_of(item)
    yield _trimmed(item, start)
    yield from _containers(snapshot, index)
    around = tree.split_around(index)
    yield tree.start(around.start), tree.start(around.stop)
    yield 0, tree.length


def _line(snapshot: Snapshot, offset: int) -> Range:
    """The text of a line."""
    _, start, line = snapshot.tree.line_at(offset)
    return start + len(line) - len(line.lstrip(SPACE)), start + len(line.rstrip(SPACE))


def _in_statement(piece: Piece, index: int, start: int) -> Iterator[Range]:
    """The groups and brackets around a token of a statement, as far as its operation goes."""
    first, last = next(operation for operation in _operations(piece) if operation[0] <= index < operation[1])
    tokens = piece.tokens()[first:last]
    spans = [(start + low, start + high) for low, high in piece.token_spans()[first:last]]
    for level in _levels(tokens, index - first):
        yield spans[level.low][0], spans[level.high - 1][1]
        opens, closes = level.opens, level.closes
        if opens is None or closes is None:
            continue
        if closes - opens > 1:
            yield spans[opens + 1][0], spans[closes - 1][1]
        yield spans[opens][0], spans[closes][1]
        # What stands before a bracket without a space belongs to it: `memref<…>`.
        if opens and spans[opens - 1][1] == spans[opens][0] and tokens[opens - 1].kind != "PUNCT":
            yield spans[opens - 1][0], spans[closes][1]


class _Level:
    """The inside of brackets around a token, or a statement: the brackets, None where one is missing, and the element
    of a list from `low` up to `high`; from `clause` on it is between signs such as the colon before types."""

    __slots__ = ("clause", "closes", "high", "low", "opens")

    def __init__(self, opens: int | None, low: int) -> None:
        self.opens = opens
        self.closes: int | None = None
        self.low = self.clause = low
        self.high = -1


def _levels(tokens: list[Token], index: int) -> list[_Level]:
    """The brackets around a token with the elements in them, from the inside out; at the end the clause of the
    statement. It goes through the tokens once."""
    open = [_Level(None, 0)]
    for at, token in enumerate(paced(tokens[:index])):
        text = token.text
        if text in _OPENING:
            open.append(_Level(at, at + 1))
        elif text in _CLOSING and len(open) > 1 and tokens[open[-1].opens or 0].text == _CLOSING[text]:
            open.pop()
        elif text in _DIVIDES:
            open[-1].low = open[-1].clause = at + 1
        elif text == ",":
            open[-1].low = at + 1
    inner = len(open) - 1
    depth, clause = 0, -1
    for at, token in enumerate(paced(tokens[index + 1 :]), index + 1):
        text, level = token.text, open[inner]
        if text in _OPENING:
            depth += 1
        elif text in _CLOSING and depth:
            depth -= 1
        elif text in _CLOSING and level.opens is not None:
            if _CLOSING[text] != tokens[level.opens].text:
                break
            level.closes = at
            level.high = at if level.high < 0 else level.high
            inner -= 1
        elif not depth and (text == "," or text in _DIVIDES):
            level.high = at if level.high < 0 else level.high
            if not inner and text in _DIVIDES:
                clause = at
                break
    # Where a bracket is missing, what is around it is not known.
    known = [level for level in reversed(open) if level.closes is not None]
    base = open[0]
    end = clause if clause >= 0 else len(tokens)
    if not inner:
        base.high = base.high if base.high >= 0 else end
        whole = _Level(None, base.clause)
        whole.high = end
        known += [base, whole]
    return [level for level in known if level.low < level.high]


class _Operation:
    """An operation with regions, from where it begins to where it ends, once that is met."""

    __slots__ = ("end", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.end: int | None = None


class _Region:
    """A region that is open: its operation, where its brace stands, and where its present block begins."""

    __slots__ = ("block", "brace", "operation")

    def __init__(self, operation: _Operation, brace: int) -> None:
        self.operation = operation
        self.brace = brace
        self.block: int | None = None


def _in_item(item: Item, offset: int) -> Iterator[Range]:
    """The operations, blocks and regions of an item around an offset, in no order."""
    open: list[_Region] = []
    around: list[_Operation] = []
    last = 0
    for piece, start in paced(item.pieces.with_offsets()):
        if piece.shape.is_trivia:
            continue
        if start <= offset <= start + piece.length:
            at = piece.token_spans()
            yield from ((start + at[low][0], start + at[high - 1][1]) for low, high in _operations(piece) if low < high)
        turns = piece.shape.known(turns_of)
        if not turns:
            last = start + piece.end
            continue
        spans = piece.token_spans()
        if not spans:
            continue
        for turn in turns:
            token = min(turn.token, len(spans) - 1)
            first, end = start + spans[token][0], start + spans[token][1]
            before = start + spans[token - 1][1] if token else last
            match turn.move:
                case Move.OPEN:
                    known = around.pop() if turn.begins is None and around else None
                    begins = start + spans[min(turn.begins or 0, len(spans) - 1)][0]
                    open.append(_Region(known or _Operation(begins), first))
                case Move.LABEL if open:
                    yield from _block(open[-1], before)
                    open[-1].block = first
                case Move.CLOSE if open:
                    region = open.pop()
                    yield from _block(region, before)
                    yield region.brace + 1, first
                    yield region.brace, end
                    if turn.ends is None:
                        around.append(region.operation)
                    else:
                        yield region.operation.start, start + spans[min(turn.ends, len(spans)) - 1][1]
                case _:
                    pass
        last = start + piece.end
    for region in open:
        yield from _block(region, last)
        yield region.operation.start, last


def _block(region: _Region, end: int) -> Iterator[Range]:
    if region.block is not None:
        yield region.block, end


def _operations(piece: Piece) -> Iterator[Range]:
    """The tokens of the operations, or of what there is of them, that a statement has on its lines, without the brace
    behind one that closes what is around it; then all of it."""
    count = len(piece.shape.tokens)
    starts = sorted({min(max(getattr(event, "base", 0), 0), count) for event in piece.shape.events} | {0, count})
    closing = sorted(turn.token for turn in piece.shape.known(turns_of) if turn.move is Move.CLOSE)
    for low, high in pairwise(starts):
        after = bisect_right(closing, low)
        yield low, min(closing[after], high) if after < len(closing) else high
    yield 0, count


def _trimmed(item: Item, start: int) -> Range:
    """An item without the comments and blank lines around what it says."""
    first, last = item.first_statement, item.last_statement(len(item.pieces))
    if first < 0 or last < 0:
        return start, start + item.length
    spans = item.pieces[first].token_spans(1)
    begins = item.start(first) + (spans[0][0] if spans else 0)
    return start + begins, start + item.start(last) + item.pieces[last].end


def _containers(snapshot: Snapshot, index: int) -> Iterator[Range]:
    """The modules around an item, from the inside out."""
    items = snapshot.tree.items
    depth = items[index].frame.containers
    low, high = index, index
    while depth > 0:
        while low > 0 and items[low].frame.containers >= depth:
            low -= 1
        while high < len(items) - 1 and items[high].frame_out.containers >= depth:
            high += 1
        start, _ = _trimmed(items[low], snapshot.tree.start(low))
        _, end = _trimmed(items[high], snapshot.tree.start(high))
        yield start, end
        depth -= 1
