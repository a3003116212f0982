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
from enum import Enum
from typing import TYPE_CHECKING

from fathom.bufferization.analysis import OneShotState
from fathom.bufferization.conflicts import Conflict, Rule
from fathom.bufferization.copies import operations_in
from fathom.bufferization.onlookers import Onlooker
from fathom.bufferization.order import Order
from fathom.bufferization.regions import may_run_again
from fathom.bufferization.uses import Use, is_tensor, owner_of, tensor_uses
from fathom.ir.operation import BlockArgument, OpResult
from fathom.irdl.interfaces import FunctionLike
from fathom.irdl.traits import CONSTANT_LIKE, TERMINATOR
from fathom.ops.memref import CopyOp
from fathom.records import record
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.bufferization.state import AnalysisState
    from fathom.ir.operation import Operation, Span, Value


@record
class Where:
    """An operation, or an argument of a block, by its place in the source. `start` is -1 where it has none."""

    start: int
    end: int
    name: str


@record
class Which:
    """A value: the operation that it is a result of, or the place of an argument, with the name of the operation that
    it is an argument in; and its number there."""

    of: Where
    number: int
    is_argument: bool = False


@record
class Reason:
    """A conflict: the rule, the operation that writes, the value that is concerned, and of a read after a write the
    operation that reads, and what. The read `comes_again` if it stands before the write, or at it, in a loop."""

    rule: Rule
    write: Where
    concerned: Which
    read: Where | None = None
    value_read: Which | None = None
    comes_again: bool = False


@record
class Operand:
    """What was decided of an operand: whether it is in place; whether it is written; and if it is not in place, whether
    the new buffer needs its contents, and what was in the way. Nothing was where no analysis is made."""

    op: Where
    place: int
    value: Which
    in_place: bool
    is_written: bool
    needs_contents: bool = False
    reasons: tuple[Reason, ...] = ()


class Form(Enum):
    """What a value is in memory."""

    NEW = "new"
    """A buffer of its own."""
    GIVEN = "given"
    """The buffer that a caller passes."""
    CONSTANT = "constant"
    """Memory that nobody writes."""
    WRITTEN = "written"
    """The buffer of another value, which is written."""
    SAME = "same"
    """The buffer of another value, as it is."""
    PART = "part"
    """A part of the buffer of another value, or another view of it."""
    COPY = "copy"
    """A new buffer in the place of that of another value."""
    EITHER = "either"
    """One of several buffers."""


@record
class Held:
    """What a value is in memory: of which values it has the buffer, the values with which these buffers begin, the
    decision that gave it a new one in the place of another, and whether its function returns that buffer."""

    value: Which
    form: Form
    of: tuple[Which, ...] = ()
    origins: tuple[Which, ...] = ()
    copied: Operand | None = None
    is_returned: bool = False


@record
class Made:
    """An operation that allocates memory, or copies it, by where the operation stands that it came of. `again` is
    whether it may run more than once each time that its function does."""

    op: Where
    is_copy: bool
    again: bool


class Account(Onlooker):
    """Notes what bufferization decides and makes."""

    def __init__(self) -> None:
        self.operands: list[Operand] = []
        """The operands that are tensors, in the order of their operations, those inside of another first."""
        self.values: list[Held] = []
        """The values that are tensors, in this order."""
        self.made_here: list[Made] = []
        """What allocates and copies."""

    def decided(self, op: Operation, state: AnalysisState) -> None:
        reader = _Reader(state)
        for each in operations_in(op):
            checkpoint()
            self.operands += map(reader.operand, tensor_uses(each))
            self.values += map(reader.held, _tensors_of(each))

    def made(self, op: Operation, cause: Operation | None) -> None:
        self.made_here.append(Made(where(op), isinstance(op, CopyOp), _may_come_again(op)))


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
        self._origins: dict[Value, dict[Value, None]] = {}
        self._returned: dict[Operation | None, set[Value]] = {}

    def operand(self, use: Use) -> Operand:
        """What was decided of an operand."""
        state = self._state
        in_place, is_written = state.is_in_place(use), state.writes(use)
        reasons = tuple(map(self._reason, self._against.get(use, ()))) if not in_place else ()
        needed = not in_place and not state.can_omit_copy(use)
        return Operand(where(use.op), use.place, which(use.value), in_place, is_written, needed, reasons)

    def _reason(self, found: Conflict) -> Reason:
        if found.read is None:
            return Reason(found.rule, where(found.write.op), which(found.definition))
        read, write = found.read.op, found.write.op
        comes_again = read is not write and self._order.is_before(read, write)
        return Reason(
            found.rule, where(write), which(found.definition), where(read), which(found.read.value), comes_again
        )

    def held(self, value: Value) -> Held:
        """What a value is in memory."""
        origins = self._origins_of(value)
        is_returned = not self._returned_around(value).isdisjoint(origins)
        found = tuple(map(which, origins))
        sources = self._state.sources(value)
        if not sources:
            return Held(value=which(value), form=self._without_source(value), origins=found, is_returned=is_returned)
        of = tuple(dict.fromkeys(which(source.use.value) for source in sources))
        if len(sources) > 1:
            return Held(which(value), Form.EITHER, of, found, is_returned=is_returned)
        use = sources[0].use
        if not self._state.is_in_place(use):
            return Held(which(value), Form.COPY, of, found, self.operand(use), is_returned)
        form = Form.WRITTEN if self._state.writes(use) else Form.SAME
        if form is Form.SAME and sources[0].relation.value != "equivalent":
            form = Form.PART
        return Held(which(value), form, of, found, is_returned=is_returned)

    def _without_source(self, value: Value) -> Form:
        owner = owner_of(value)
        if isinstance(value, BlockArgument):
            return Form.GIVEN
        return Form.CONSTANT if owner is not None and owner.has(CONSTANT_LIKE) else Form.NEW

    def _origins_of(self, value: Value) -> dict[Value, None]:
        """The values with which the buffers begin that a value may have."""
        found: dict[Value, None] = {}
        pending, seen = [value], {value}
        while pending:
            each = pending.pop()
            known = self._origins.get(each)
            if known is not None:
                found |= known
                continue
            behind = [source.use for source in self._state.sources(each)]
            if not behind or not all(map(self._state.is_in_place, behind)):
                found[each] = None
            for use in behind:
                if self._state.is_in_place(use) and use.value not in seen:
                    seen.add(use.value)
                    pending.append(use.value)
        self._origins[value] = found
        return found

    def _returned_around(self, value: Value) -> set[Value]:
        """The values with which the buffers begin that the function around a value returns."""
        function = owner_of(value)
        while function is not None and function.interface(FunctionLike) is None:
            function = function.parent_op
        found = self._returned.get(function)
        if found is None:
            found = self._returned[function] = set()
            for block in function.regions[0].blocks if function is not None else ():
                end = block.last
                if end is not None and end.has(TERMINATOR) and not end.successors:
                    found.update(*(self._origins_of(each) for each in end.operands if is_tensor(each)))
        return found
