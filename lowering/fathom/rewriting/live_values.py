"""Which values of a kind a block is given by what stands around it or before it, and which it leaves to blocks behind
it.

Source of the rules: *Liveness Analysis* of MLIR 22. Only some values are asked for, such as memrefs, so each use of one
is gone back from to what defines it, which costs as much as there is to say.
"""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING

from fathom.ir.operation import BlockArgument, OpResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fathom.ir.operation import Block, Operation, Region, Value


class LiveValues:
    """What is live in an operation as it stands, of the values that are `wanted`; what is inserted afterwards is not in
    it."""

    def __init__(self, op: Operation, wanted: Callable[[Value], bool]) -> None:
        self._wanted = wanted
        self._into: dict[Block, dict[Value, None]] = {}
        self._out: dict[Block, dict[Value, None]] = {}
        self._places: dict[Operation, int] = {}
        self._pending: list[tuple[Block, Value]] = []
        for region in op.regions:
            self._look_into(region)
        self._spread()

    def into(self, block: Block) -> list[Value]:
        """What is defined before a block or around it, and used there or later, in order."""
        return self._sorted(self._into.get(block, ()))

    def beyond(self, block: Block, target: Block | None) -> list[Value]:
        """What is used behind a block, of that which its successor `target` gets, in order."""
        values: Iterable[Value] = self._out.get(block, ())
        if target is not None:
            used = self._into.get(target, {})
            values = [value for value in values if value in used]
        return self._sorted(values)

    def is_given_to(self, block: Block, value: Value) -> bool:
        """Whether it is used in a block or later, and defined before it or around it."""
        return value in self._into.get(block, ())

    def is_left_by(self, block: Block, value: Value) -> bool:
        """Whether it is used behind a block."""
        return value in self._out.get(block, ())

    # ---- uses

    def _look_into(self, region: Region) -> None:
        for block in region.blocks:
            for place, op in enumerate(block):
                self._places[op] = place
                for value in op.operands:
                    if self._wanted(value):
                        self._note_use(value, block)
                for inner in op.regions:
                    self._look_into(inner)

    def _note_use(self, value: Value, block: Block) -> None:
        """A value is given to each block from its use outwards that does not define it."""
        defined_in = value.parent_block
        around: Block | None = block
        while around is not None and around is not defined_in:
            given = self._into.setdefault(around, {})
            if value in given:
                return
            given[value] = None
            self._pending.append((around, value))
            if defined_in is not None and around.parent is defined_in.parent:
                self._out.setdefault(defined_in, {})[value] = None
                return
            outer = around.parent.parent if around.parent is not None else None
            around = outer.parent if outer is not None else None

    def _spread(self) -> None:
        """What a block is given, the blocks before it leave to it, and are given it unless they define it."""
        while self._pending:
            block, value = self._pending.pop()
            for before in block.predecessors():
                self._out.setdefault(before, {})[value] = None
                if value.parent_block is before:
                    continue
                given = self._into.setdefault(before, {})
                if value not in given:
                    given[value] = None
                    self._pending.append((before, value))

    # ---- order

    def _sorted(self, values: Iterable[Value]) -> list[Value]:
        return sorted(values, key=cmp_to_key(self._compare))

    def _compare(self, one: Value, other: Value) -> int:
        return -1 if self._comes_before(one, other) else 1 if self._comes_before(other, one) else 0

    def _comes_before(self, one: Value, other: Value) -> bool:
        """Arguments before results, by their numbers; results as their operations stand in their blocks."""
        if isinstance(one, BlockArgument) and isinstance(other, BlockArgument):
            if one.index != other.index:
                return one.index < other.index
        elif isinstance(one, OpResult) and isinstance(other, OpResult):
            if one.op is other.op:
                return one.index < other.index
            if one.op.parent_region is other.op.parent_region:
                return self._places[one.op] < self._places[other.op]
        else:
            return isinstance(one, BlockArgument)
        return self._region_comes_before(_region_of(one), _region_of(other))

    def _region_comes_before(self, one: Region | None, other: Region | None) -> bool:
        while one is not None and other is not None and one.parent is not None and other.parent is not None:
            number, other_number = one.parent.regions.index(one), other.parent.regions.index(other)
            if number != other_number:
                return number < other_number
            around, around_other = one.parent.parent_region, other.parent.parent_region
            if around is around_other:
                return self._places.get(one.parent, 0) < self._places.get(other.parent, 0)
            one, other = around, around_other
        return other is not None


def _region_of(value: Value) -> Region | None:
    block = value.parent_block
    return block.parent if block is not None else None
