"""What is read, and what is written in place, of values that may share a buffer; by where it stands.

A read and a write can only be in each other's way if the write runs between what defines the contents that are read and
the read. In one block that is a span of operations, and all others are found without a look at each: a buffer with
thousands of reads and writes costs what they are, and not what their pairs are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from fathom.ir.operation import OpResult

if TYPE_CHECKING:
    from fathom.bufferization.uses import Use
    from fathom.ir.operation import Block, Operation, Value


class Span(NamedTuple):
    """The operations of a block in which a write may be in the way of a read."""

    block: Block
    first: int
    last: int


class Places:
    """Where operations stand, while none moves."""

    def __init__(self) -> None:
        self._numbers: dict[Operation, int] = {}
        self._straight: dict[Block, bool] = {}

    def number(self, op: Operation) -> int:
        """The number of an operation in its block."""
        if op not in self._numbers:
            assert op.parent is not None, "it stands in a block"
            self._numbers.update((each, number) for number, each in enumerate(op.parent))
        return self._numbers[op]

    def around(self, op: Operation) -> Iterator[tuple[Block, int]]:
        """The blocks in which an operation stands, from the innermost on, and where in each."""
        around: Operation | None = op
        while around is not None and around.parent is not None:
            yield around.parent, self.number(around)
            around = around.parent_op

    def is_straight(self, block: Block) -> bool:
        """Whether a block, and each around it, is the only one of its region."""
        is_straight = self._straight.get(block)
        if is_straight is None:
            region = block.parent
            outer = region.parent.parent if region is not None and region.parent is not None else None
            is_only = region is not None and region.has_one_block
            is_straight = self._straight[block] = is_only and (outer is None or self.is_straight(outer))
        return is_straight

    def span(self, read: Operation, definitions: Iterable[Value]) -> Span | None:
        """Where a write may be in the way of a read of these definitions; None for anywhere.

        What stands elsewhere in the block runs before the definitions or after the read, each time that they do. So
        does what stands outside of what holds the block.
        """
        block: Block | None = None
        first: int | None = None
        for value in definitions:
            if block is not None and value.parent_block is not block:
                return None
            block = value.parent_block
            number = self.number(value.op) if isinstance(value, OpResult) else 0
            first = number if first is None else min(first, number)
        if block is None or first is None or not self.is_straight(block):
            return None
        return next((Span(block, first, number) for each, number in self.around(read) if each is block), None)


class Accesses:
    """The reads and the writes of a buffer."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.reads: dict[Use, Span | None] = {}
        self.writes: dict[Use, None] = {}
        self.is_read = False
        """Also by who finds what nobody defined, which is not among the reads."""
        self.is_locked = False
        """Whether the buffer must not be written."""
        self.in_parallel = False
        """Whether a write is made at the same time as itself, to what is not its own."""
        self.in_conflict = False
        """Whether a read finds what another write left."""
        self._spans: dict[Block, _Spans] = {}
        self._reads_in: dict[Operation, list[Use]] = {}
        self._reads_anywhere: list[Use] = []
        self._writes_in: dict[Block, list[tuple[int, int, Use]]] = {}
        self._writes_by: dict[Operation, list[Use]] = {}

    def add_read(self, use: Use, span: Span | None) -> None:
        if use in self.reads:
            return
        self.reads[use] = span
        if span is None:
            self._reads_anywhere.append(use)
            return
        self._spans.setdefault(span.block, _Spans()).add(span.first, span.last, use)
        for outer in _holders(span.block):
            self._reads_in.setdefault(outer, []).append(use)

    def add_write(self, use: Use) -> None:
        if use in self.writes:
            return
        self.writes[use] = None
        for block, number in self._places.around(use.op):
            insort(self._writes_in.setdefault(block, []), (number, len(self.writes), use))
        self._writes_by.setdefault(use.op, []).append(use)

    def absorb(self, other: Accesses) -> None:
        """Adds those of another buffer, which is the same one from now on."""
        for use, span in other.reads.items():
            self.add_read(use, span)
        for use in other.writes:
            self.add_write(use)
        self.is_read |= other.is_read
        self.is_locked |= other.is_locked
        self.in_parallel |= other.in_parallel
        self.in_conflict |= other.in_conflict

    def writes_near(self, read: Use, span: Span | None) -> Iterable[Use]:
        """The writes that may be in the way of a read."""
        if span is None:
            return self.writes
        near = self._writes_in.get(span.block, [])
        first = bisect_left(near, span.first, key=_number)
        last = bisect_right(near, span.last, lo=first, key=_number)
        outer = (self._writes_by.get(each, ()) for each in _holders(span.block)) if self._writes_by else ()
        return chain((use for _, _, use in near[first:last]), *outer)

    def reads_near(self, write: Use) -> Iterable[Use]:
        """The reads in whose way a write may be."""
        if not self.reads:
            return ()
        around = (
            spans.around(number)
            for block, number in self._places.around(write.op)
            if (spans := self._spans.get(block)) is not None
        )
        return chain(self._reads_anywhere, self._reads_in.get(write.op, ()), *around)


def _number(entry: tuple[int, int, Use]) -> int:
    return entry[0]


def _holders(block: Block) -> Iterator[Operation]:
    """The operations in which a block stands."""
    op = block.parent.parent if block.parent is not None else None
    while op is not None:
        yield op
        op = op.parent_op


class _Spans:
    """Spans of numbers, each with a use. A span is kept in pieces, as long as a power of two and at a multiple of it,
    so that those around a number are found by its beginnings."""

    def __init__(self) -> None:
        self._pieces: list[dict[int, list[Use]]] = []

    def add(self, first: int, last: int, use: Use) -> None:
        low, high, level = first, last + 1, 0
        while low < high:
            if level == len(self._pieces):
                self._pieces.append({})
            pieces = self._pieces[level]
            if low & 1:
                pieces.setdefault(low, []).append(use)
                low += 1
            if high & 1:
                high -= 1
                pieces.setdefault(high, []).append(use)
            low, high, level = low >> 1, high >> 1, level + 1

    def around(self, number: int) -> Iterator[Use]:
        for level, pieces in enumerate(self._pieces):
            yield from pieces.get(number >> level, ())
