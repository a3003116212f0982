"""An account of what becomes of tensors in memory, and why: what the analysis decided, as data that stays when the
operations are gone.

    account = Account()
    with looked_on_by(account):
        use.run(module, context)
    account.operands, account.values

Operations and values are known by where they stand in the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fathom.bufferization.analysis import OneShotState
from fathom.bufferization.copies import operations_in
from fathom.bufferization.models import EQUIVALENT
from fathom.bufferization.onlookers import Onlooker
from fathom.bufferization.order import Order
from fathom.bufferization.regions import may_run_again
from fathom.bufferization.told import Form, Freed, Held, Made, Operand, Reason, Where, Which
from fathom.bufferization.uses import Use, is_tensor, owner_of, tensor_uses
from fathom.ir.operation import BlockArgument, OpResult
from fathom.irdl.interfaces import FunctionLike, RegionBranch
from fathom.irdl.traits import CONSTANT_LIKE, TERMINATOR
from fathom.ops.memref import AllocOp, CopyOp
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.bufferization.conflicts import Conflict
    from fathom.bufferization.state import AnalysisState
    from fathom.ir.operation import Operation, Span, Value


class Account(Onlooker):
    """Notes what bufferization decides and makes."""

    def __init__(self) -> None:
        self.operands: list[Operand] = []
        """The operands that are tensors, in the order of their operations, those inside of another first."""
        self.values: list[Held] = []
        """The values that are tensors, in this order."""
        self.freed_memory: list[Freed] = []
        self._made: dict[Operation, Made] = {}

    @property
    def made_operations(self) -> list[Made]:
        """What allocates and copies."""
        return list(self._made.values())

    def decided(self, op: Operation, state: AnalysisState) -> None:
        reader = _Reader(state)
        for inner in operations_in(op):
            checkpoint()
            self.operands += map(reader.operand, tensor_uses(inner))
            self.values += map(reader.held, _tensors_of(inner))

    def made(self, op: Operation) -> None:
        self._made[op] = Made(where(op), isinstance(op, CopyOp), _may_come_again(op))

    def dropped(self, op: Operation) -> None:
        self._made.pop(op, None)

    def freed(self, memory: Value, before: Operation) -> None:
        maker = memory.defining_op
        if isinstance(maker, AllocOp):
            self.freed_memory.append(Freed(where(maker), where(before), where(before.parent_op)))

    def not_freed(self, function: Operation) -> None:
        span = function.span
        if span is not None:
            self.freed_memory = [freed for freed in self.freed_memory if not span.start <= freed.op.start < span.end]


def where(op: Operation | None) -> Where:
    """An operation by its place."""
    return _at(op.span if op is not None else None, op.name if op is not None else "")


def which(value: Value) -> Which:
    """A value by its place."""
    if isinstance(value, OpResult):
        return Which(where(value.op), value.index)
    assert isinstance(value, BlockArgument), "a value is a result or an argument"
    owner = owner_of(value)
    return Which(_at(value.span, owner.name if owner is not None else ""), value.index, True)


def _origin(begins: Value | Use) -> Which:
    if isinstance(begins, Use):
        return Which(where(begins.op), begins.place, is_copy=True)
    return which(begins)


def _at(span: Span | None, name: str) -> Where:
    return Where(span.start, span.end, name) if span is not None else Where(-1, -1, name)


def _tensors_of(op: Operation) -> Iterable[Value]:
    """The tensors that an operation defines: its results, and the arguments of the blocks in it."""
    yield from filter(is_tensor, op.results)
    for region in op.regions:
        for block in region.blocks:
            yield from filter(is_tensor, block.arguments)


def _may_come_again(op: Operation) -> bool:
    region = op.parent_region
    while region is not None and (around := region.parent) is not None:
        if may_run_again(around, around.regions.index(region)):
            return True
        region = around.parent_region
    return False


class _Reader:
    """Reads what an analysis found."""

    def __init__(self, state: AnalysisState) -> None:
        self._state = state
        self._against = state.against if isinstance(state, OneShotState) else {}
        self._order = Order(state)
        self._origins: dict[Value, dict[Value | Use, None]] = {}
        self._returned: dict[Operation | None, set[Value | Use]] = {}

    def operand(self, use: Use) -> Operand:
        """What was decided of an operand."""
        state = self._state
        in_place, is_written = state.is_in_place(use), state.writes(use)
        reasons = tuple(map(self._reason, self._against.get(use, ()))) if not in_place else ()
        needed = not in_place and not state.can_omit_copy(use)
        return Operand(where(use.op), use.place, which(use.value), in_place, is_written, needed, reasons)

    def _reason(self, conflict: Conflict) -> Reason:
        if conflict.read is None:
            return Reason(conflict.rule, where(conflict.write.op), which(conflict.definition))
        read, write = conflict.read.op, conflict.write.op
        comes_again = read is not write and self._order.is_before(read, write)
        return Reason(
            conflict.rule,
            where(write),
            which(conflict.definition),
            where(read),
            which(conflict.read.value),
            comes_again,
        )

    def held(self, value: Value) -> Held:
        """What a value is in memory."""
        state = self._state
        origins = self._origins_of(value)
        sources, handed = state.sources(value), self._handed(value)
        of = tuple(dict.fromkeys(which(use.value) for use in handed or [source.use for source in sources]))
        copied = None
        if handed:
            form = Form.HANDED
        elif not sources:
            form = self._without_source(value)
        elif len(sources) > 1:
            form = Form.EITHER
        elif not state.is_in_place(use := sources[0].use):
            form, copied = Form.COPY, self.operand(use)
        elif state.writes(use):
            form = Form.WRITTEN
        else:
            form = Form.SAME if sources[0].relation is EQUIVALENT else Form.PART
        is_returned = not self._returned_around(value).isdisjoint(origins)
        handing_on = self._handing_on(value) if value in origins else None
        handed_on = where(handing_on) if handing_on is not None else None
        return Held(which(value), form, of, tuple(map(_origin, origins)), copied, is_returned, handed_on)

    def _without_source(self, value: Value) -> Form:
        owner = owner_of(value)
        if isinstance(value, BlockArgument):
            return Form.GIVEN
        return Form.CONSTANT if owner is not None and owner.has(CONSTANT_LIKE) else Form.NEW

    def _handed(self, value: Value) -> list[Use]:
        """The operands that are handed to a block as an argument of it, or come out of the regions of an operation as a
        result."""
        owner = owner_of(value)
        branch = owner.interface(RegionBranch) if owner is not None else None
        if owner is None or branch is None or (isinstance(value, BlockArgument) and not value.block.is_entry):
            return []
        goal = value.block.parent if isinstance(value, BlockArgument) else None
        number = value.index if isinstance(value, (BlockArgument, OpResult)) else 0
        ways = [(owner, branch.enter(owner, [None] * len(owner.operands)))]
        for end in (block.last for region in owner.regions for block in region.blocks):
            if end is not None and end.has(TERMINATOR) and not end.successors:
                ways.append((end, branch.leave(owner, end, [None] * len(end.operands))))
        return [
            use
            for op, edges in ways
            for edge in edges
            if edge.target is goal and 0 <= number - edge.first < len(edge.passed)
            for use in tensor_uses(op)
            if use.value is edge.passed[number - edge.first]
        ]

    def _origins_of(self, value: Value) -> dict[Value | Use, None]:
        """The values with which the buffers begin that a value may have, and the operands whose copies they are."""
        origins: dict[Value | Use, None] = {}
        pending, seen = [value], {value}
        while pending:
            current = pending.pop()
            known = self._origins.get(current)
            if known is not None:
                origins |= known
                continue
            handed = self._handed(current)
            origins.update((use, None) for use in handed if not self._state.is_in_place(use))
            behind = handed or [source.use for source in self._state.sources(current)]
            if not behind or (not handed and not all(map(self._state.is_in_place, behind))):
                origins[current] = None
            for use in reversed(behind):
                if self._state.is_in_place(use) and use.value not in seen:
                    seen.add(use.value)
                    pending.append(use.value)
        self._origins[value] = origins
        return origins

    def _handing_on(self, value: Value) -> Operation | None:
        """What ends the block that a value begins in, if it hands on the buffer of that within its function."""
        block = value.parent_block
        end = block.last if block is not None else None
        if end is None or not end.has(TERMINATOR) or end.successors:
            return None
        if end.parent_op is None or end.parent_op.interface(FunctionLike) is not None:
            return None
        return (
            end if any(value in self._origins_of(operand) for operand in end.operands if is_tensor(operand)) else None
        )

    def _returned_around(self, value: Value) -> set[Value | Use]:
        """With what the buffers begin that the function around a value returns."""
        function = owner_of(value)
        while function is not None and function.interface(FunctionLike) is None:
            function = function.parent_op
        returned = self._returned.get(function)
        if returned is None:
            returned = self._returned[function] = set()
            for block in function.regions[0].blocks if function is not None else ():
                end = block.last
                if end is not None and end.has(TERMINATOR) and not end.successors:
                    returned.update(*(self._origins_of(operand) for operand in end.operands if is_tensor(operand)))
        return returned
