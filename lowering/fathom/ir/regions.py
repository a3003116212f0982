"""Regions and their blocks: the lists (`fathom.ir.chain`) in which operations stand.

They are had from `fathom.ir.operation`, like the rest of the graph. Source of the rules: *MLIR Language Reference*,
"High-Level Structure".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.ir.chain import Chain
from fathom.ir.values import BlockArgument

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.ir.values import Span

    OfOperations = Chain[Operation]
else:
    OfOperations = Chain


class Block(OfOperations):
    """A list of operations that ends in a terminator, with arguments. The label belongs to the text, not to the
    block."""

    __slots__ = ("arguments", "branches", "first", "label_span", "last", "name_hint", "next", "parent", "previous")

    def __init__(self, argument_types: Iterable[Type] = ()) -> None:
        self.arguments: list[BlockArgument] = [BlockArgument(t, self, i) for i, t in enumerate(argument_types)]
        self.branches: dict[Operation, None] = {}
        """The operations that have it for a successor, wherever they stand."""
        self.first: Operation | None = None
        self.last: Operation | None = None
        self.parent: Region | None = None
        self.previous: Block | None = None
        self.next: Block | None = None
        self.label_span: Span | None = None
        self.name_hint: str | None = None

    def __iter__(self) -> Iterator[Operation]:
        return self.links()

    def __len__(self) -> int:
        count, op = 0, self.first
        while op is not None:
            count += 1
            op = op.next
        return count

    @property
    def is_entry(self) -> bool:
        """Whether it is its region's first block."""
        return self.previous is None

    @property
    def end(self) -> Operation:
        """The last operation, which a block that was verified has. ValueError where there is none."""
        if self.last is None:
            raise ValueError("a block has no operation")
        return self.last

    @property
    def terminator(self) -> Operation | None:
        """The last operation, which in a finished block is its terminator."""
        return self.last

    @property
    def successors(self) -> list[Block]:
        """The successors of the last operation."""
        return self.last.successors if self.last is not None else []

    def add_argument(self, type: Type, span: Span | None = None) -> BlockArgument:
        """Appends an argument."""
        argument = BlockArgument(type, self, len(self.arguments), span)
        self.arguments.append(argument)
        return argument

    def insert_argument(self, index: int, type: Type, span: Span | None = None) -> BlockArgument:
        """Inserts an argument before the one at `index`; those behind move on."""
        argument = BlockArgument(type, self, index, span)
        self.arguments.insert(index, argument)
        self._renumber()
        return argument

    def erase_arguments(self, indices: Collection[int]) -> None:
        """Takes away arguments, which nothing uses."""
        self.arguments = [argument for argument in self.arguments if argument.index not in indices]
        self._renumber()

    def _renumber(self) -> None:
        for index, argument in enumerate(self.arguments):
            argument.index = index

    def split_before(self, op: Operation | None) -> Block:
        """Moves `op` and all after it to a new block that is placed right after this one, and returns it."""
        tail = Block()
        if self.parent is not None:
            self.parent.insert_before(tail, self.next)
        if op is None:
            return tail
        tail.first, tail.last = op, self.last
        self.last = op.previous
        if op.previous is None:
            self.first = None
        else:
            op.previous.next = op.previous = None
        following: Operation | None = op
        while following is not None:
            following.parent = tail
            following = following.next
        return tail

    def predecessors(self) -> list[Block]:
        """The blocks of its region whose terminators name this one, each once for each time that it names it, in no
        order that the text has."""
        blocks: list[Block] = []
        for op in self.branches:
            block = op.parent
            if block is not None and block.last is op and block.parent is self.parent is not None:
                blocks += [block] * op.successors.count(self)
        return blocks


class Region(Chain[Block]):
    """A list of blocks; the first is the entry block."""

    __slots__ = ("first", "last", "parent")

    def __init__(self, blocks: Iterable[Block] = ()) -> None:
        self.parent: Operation | None = None
        self.first: Block | None = None
        self.last: Block | None = None
        for block in blocks:
            self.append(block)

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks in order. Safe when the one that was given last is removed."""
        return self.links()

    @property
    def entry(self) -> Block:
        """The first block, which the body of a verified loop has. ValueError where there is none."""
        if self.first is None:
            raise ValueError("a region has no block")
        return self.first

    @property
    def arguments(self) -> list[BlockArgument]:
        """The arguments of the first block; none where there is no block."""
        return self.first.arguments if self.first is not None else []

    @property
    def has_one_block(self) -> bool:
        return self.first is not None and self.first is self.last

    def take_blocks(self, other: Region, before: Block | None = None) -> None:
        """Moves all blocks of `other` here, before `before` or to the end."""
        for block in list(other.blocks):
            other.remove(block)
            self.insert_before(block, before)

    def walk(self) -> Iterator[Operation]:
        """All operations in the region, each before those nested in it."""
        return walk_in((self,))

    def walk_postorder(self) -> Iterator[Operation]:
        """All operations in the region, each after those nested in it. Safe when the visited operation is erased."""
        return walk_postorder_in((self,))

    def inner_regions(self) -> list[Region]:
        """The regions of the operations directly in the region."""
        regions: list[Region] = []
        block = self.first
        while block is not None:
            op = block.first
            while op is not None:
                if op.regions:
                    regions += op.regions
                op = op.next
            block = block.next
        return regions

    def operations(self) -> Iterator[Operation]:
        """The operations directly in the region."""
        for block in self.blocks:
            yield from block


def walk_postorder_in(regions: Sequence[Region]) -> Iterator[Operation]:
    """All operations in regions, each after those nested in it."""
    pending: list[Region | Block | tuple[Operation, Iterator[Operation]]] = [*reversed(regions)]
    while pending:
        place = pending.pop()
        if isinstance(place, Region):
            pending += reversed(list(place.blocks))
            continue
        if isinstance(place, Block):
            inside: list[Operation] = []
            op = place.first
            while op is not None:
                inside.append(op)
                op = op.next
            rest = iter(inside)
        else:
            around, rest = place
            yield around
        for op in rest:
            if op.regions:
                pending.append((op, rest))
                pending += reversed(op.regions)
                break
            yield op


def walk_in(regions: Sequence[Region]) -> Iterator[Operation]:
    """All operations in regions, each before those nested in it."""
    # They are gone through so often that it is written out: where to go on is a block and an operation before it.
    pending: list[Region | tuple[Block | None, Operation | None]] = [*reversed(regions)]
    while pending:
        place = pending.pop()
        block, op = (place.first, None) if isinstance(place, Region) else place
        while True:
            while op is not None:
                following = op.next
                yield op
                if op.regions:
                    pending.append((block, following))
                    pending += reversed(op.regions)
                    block = None
                    break
                op = following
            if block is None:
                break
            op, block = block.first, block.next
