"""How control flow on tensors bufferizes: loops carry buffers, branches yield them.

Source of the rules: `mlir/lib/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import EQUIVALENT, Alias, Bufferizable, Relation
from fathom.bufferization.options import NotInPlace, Refusal, with_any_layout
from fathom.bufferization.state import repeated
from fathom.bufferization.uses import Use, is_tensor
from fathom.dialects.scf.branch_buffers import ExecuteRegion, If, IndexSwitch, arguments_of, end_of
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.types import INDEX, MemRefType, TensorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import mixed
from fathom.ops import scf as ops
from fathom.rewriting.folding import integer_constant, known_number

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState, Types

UNEQUAL: Final = "is not equivalent to the corresponding iter bbArg"


# ---- loops


def carried_type(op: Operation, argument: BlockArgument, initial: Value, yielded: Value, types: Types) -> MemRefType:
    """The type of the buffer that a loop carries: that of what it begins with and of what it yields, or one with any
    layout where these differ. Raises Refusal."""
    begins = types.of(initial)
    if repeated(types.stack, argument):
        return begins
    goes_on = types.of(yielded)
    if begins == goes_on:
        return goes_on
    if begins.space != goes_on.space:
        raise Refusal(op, "init_arg and yielded value bufferize to inconsistent memory spaces")
    assert isinstance(argument.type, TensorType), "only tensors bufferize"
    return with_any_layout(argument.type, goes_on.space)


class For(Bufferizable):
    def reads(self, op: ops.ForOp, use: Use, state: AnalysisState) -> bool:
        return _may_not_run(op) or state.is_read(_carried(op)[use.place - 3])

    def writes(self, op: ops.ForOp, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: ops.ForOp, use: Use, state: AnalysisState) -> list[Alias]:
        index = use.place - 3
        relation = self._relation(op, index, state)
        return [Alias(op.results[index], relation, relation is EQUIVALENT)]

    def _relation(self, op: ops.ForOp, index: int, state: AnalysisState) -> Relation:
        is_same = state.are_equivalent(_carried(op)[index], end_of(op.region).operands[index])
        return EQUIVALENT if is_same else Relation.UNKNOWN

    def is_writable(self, op: ops.ForOp, value: Value, state: AnalysisState) -> bool:
        return True

    def resolve(self, op: ops.ForOp, run: Bufferizer, state: AnalysisState) -> None:
        run.copy_operands(op, state)
        if state.options.copy_before_write:
            return
        end, carried, values = end_of(op.region), _carried(op), list[Value]()
        run.stand_before(end)
        for index, value in enumerate(end.operands):
            is_own = not is_tensor(op.initArgs[index]) or _is_from_inside(value, op.region, carried[index], state)
            values.append(value if is_own else run.allocate_tensor(value, copies_contents=True))
        end.set_operands(values)

    def buffer_type(self, op: ops.ForOp, value: Value, types: Types) -> MemRefType:
        if isinstance(value, OpResult):
            return types.of(_carried(op)[value.index])
        assert isinstance(value, BlockArgument), "a value is a result or an argument"
        index = value.index - 1
        return carried_type(op, value, op.initArgs[index], end_of(op.region).operands[index], types)

    def bufferize(self, op: ops.ForOp, run: Bufferizer) -> None:
        initial = run.buffers(op.initArgs)
        types = run.buffer_types(op.results)
        cast = [
            run.cast_there(value, type) if is_tensor(result) else value
            for value, type, result in zip(initial, types, op.results, strict=True)
        ]
        body = run.block_of([op.region.first.arguments[0].type if op.region.first is not None else INDEX, *types])
        bounds = (op.lowerBound, op.upperBound, op.step)
        new = run.create(op.name, [*bounds, *cast], types, op.properties, op.attributes, (), [Region([body])])
        _move_body(op.region, body, run)
        run.replace_by_buffers(op, new.results)

    def verify(self, op: ops.ForOp, state: AnalysisState) -> None:
        if state.options.allow_return_allocs_from_loops:
            return
        for result in op.results:
            if is_tensor(result) and self._relation(op, result.index, state) is not EQUIVALENT:
                raise NotInPlace(end_of(op.region), f"Yield operand #{result.index} {UNEQUAL}", is_bare=True)


def _carried(op: ops.ForOp) -> list[BlockArgument]:
    """The arguments of the body behind the induction variable."""
    return arguments_of(op.region)[1:]


def _may_not_run(op: ops.ForOp) -> bool:
    lower, upper = integer_constant(op.lowerBound), integer_constant(op.upperBound)
    return lower is None or upper is None or upper <= lower


def _is_from_inside(value: Value, region: Region, own: Value, state: AnalysisState) -> bool:
    """Whether a value shares its buffer with nothing from outside of a region but one of its arguments."""
    for member in state.sharing_with(value):
        block = member.parent_block
        around = block.parent if block is not None else None
        is_inside = _is_in(around, region)
        if member is not own and (not is_inside or (isinstance(member, BlockArgument) and around is region)):
            return False
    return True


def _is_in(region: Region | None, outer: Region) -> bool:
    while region is not None and region is not outer:
        region = region.parent.parent_region if region.parent is not None else None
    return region is outer


def _move_body(old: Region, body: Block, run: Bufferizer) -> None:
    """Moves the operations of a loop into another body, where they see buffers as the tensors they had."""
    block = old.first
    assert block is not None, "a loop has a body"
    with run.elsewhere():
        run.set_insertion_to_start(body)
        values = [
            run.tensor_of(new, former.type) if is_tensor(former) else new
            for former, new in zip(block.arguments, body.arguments, strict=True)
        ]
        run.inline_block_before(block, body, None, values)


class While(Bufferizable):
    def reads(self, op: ops.WhileOp, use: Use, state: AnalysisState) -> bool:
        return True

    def writes(self, op: ops.WhileOp, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: ops.WhileOp, use: Use, state: AnalysisState) -> list[Alias]:
        index = use.place
        if index >= len(op.results) or use.value.type != op.results[index].type:
            return []
        is_same = self._is_same(op, index, state)
        return [Alias(op.results[index], EQUIVALENT if is_same else Relation.UNKNOWN, is_same)]

    def _is_same(self, op: ops.WhileOp, index: int, state: AnalysisState) -> bool:
        before = arguments_of(op.before)
        if index >= len(before) or op.results[index].type != before[index].type:
            return False
        goes_on = state.are_equivalent(before[index], _passed_on(op)[index])
        return goes_on and state.are_equivalent(arguments_of(op.after)[index], end_of(op.after).operands[index])

    def is_writable(self, op: ops.WhileOp, value: Value, state: AnalysisState) -> bool:
        return True

    def resolve(self, op: ops.WhileOp, run: Bufferizer, state: AnalysisState) -> None:
        run.copy_operands(op, state)
        if state.options.copy_before_write:
            return
        condition, values = end_of(op.before), list[Value]()
        same = _same_places(arguments_of(op.before), _passed_on(op), state)
        same &= _same_places(arguments_of(op.after), end_of(op.after).operands, state)
        run.stand_before(condition)
        for index, value in enumerate(_passed_on(op)):
            is_kept = not is_tensor(value) or index in same
            values.append(value if is_kept else run.allocate_tensor(value, copies_contents=True))
        condition.set_operands([condition.operands[0], *values])

    def buffer_type(self, op: ops.WhileOp, value: Value, types: Types) -> MemRefType:
        assert isinstance(value, (OpResult, BlockArgument)), "a value is a result or an argument"
        if isinstance(value, BlockArgument) and value.block.parent is op.before:
            return carried_type(op, value, op.inits[value.index], end_of(op.after).operands[value.index], types)
        return types.of(_passed_on(op)[value.index])

    def bufferize(self, op: ops.WhileOp, run: Bufferizer) -> None:
        initial, before = run.buffers(op.inits), arguments_of(op.before)
        wanted = run.buffer_types(before)
        cast = [
            run.cast_there(value, type) if is_tensor(argument) else value
            for value, type, argument in zip(initial, wanted, before, strict=True)
        ]
        types = run.buffer_types(arguments_of(op.after))
        bodies = run.block_of(value.type for value in cast), run.block_of(types)
        regions = [Region([body]) for body in bodies]
        new = run.create(op.name, cast, types, op.properties, None, (), regions)
        for old, body in zip(list(op.regions), bodies, strict=True):
            _move_body(old, body, run)
        run.replace_by_buffers(op, new.results)

    def verify(self, op: ops.WhileOp, state: AnalysisState) -> None:
        if state.options.allow_return_allocs_from_loops:
            return
        for end, values, arguments, name in (
            (end_of(op.before), _passed_on(op), arguments_of(op.before), "Condition arg"),
            (end_of(op.after), end_of(op.after).operands, arguments_of(op.after), "Yield operand"),
        ):
            for index, value in enumerate(values):
                is_same = index < len(arguments) and state.are_equivalent(value, arguments[index])
                if is_tensor(value) and not is_same:
                    raise NotInPlace(end, f"{name} #{index} {UNEQUAL}", is_bare=True)


def _passed_on(op: ops.WhileOp) -> list[Value]:
    """What the condition passes to the body, or out."""
    return end_of(op.before).operands[1:]


def _same_places(arguments: Sequence[Value], values: Sequence[Value], state: AnalysisState) -> set[int]:
    """Where an argument and a value have one buffer."""
    pairs = enumerate(zip(arguments, values, strict=False))
    return {
        index
        for index, (argument, value) in pairs
        if is_tensor(argument) and is_tensor(value) and state.are_equivalent(argument, value)
    }


class Condition(Bufferizable):
    def reads(self, op: ops.ConditionOp, use: Use, state: AnalysisState) -> bool:
        return True

    def must_be_in_place(self, op: ops.ConditionOp, use: Use, state: AnalysisState) -> bool:
        return True

    def bufferize(self, op: ops.ConditionOp, run: Bufferizer) -> None:
        loop = op.parent_op
        assert isinstance(loop, ops.WhileOp), "its trait demands it"
        after = arguments_of(loop.after)
        values = [
            run.cast_there(run.buffer(value), run.types.of(after[index])) if is_tensor(value) else value
            for index, value in enumerate(op.args)
        ]
        run.replace_by(op, op.name, [op.condition, *values])


class Yield(Bufferizable):
    def reads(self, op: ops.YieldOp, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: ops.YieldOp, use: Use, state: AnalysisState) -> list[Alias]:
        outer = op.parent_op
        if isinstance(outer, ops.IfOp):
            return [Alias(outer.results[use.place], is_definite=False)]
        return [Alias(outer.results[use.place])] if isinstance(outer, ops.ExecuteRegionOp) else []

    def must_be_in_place(self, op: ops.YieldOp, use: Use, state: AnalysisState) -> bool:
        return True

    def bufferize(self, op: ops.YieldOp, run: Bufferizer) -> None:
        outer = op.parent_op
        if not isinstance(outer, (ops.ExecuteRegionOp, ops.ForOp, ops.IfOp, ops.IndexSwitchOp, ops.WhileOp)):
            raise Refusal(op, "unsupported scf::YieldOp parent", is_bare=True)
        values: list[Value] = []
        for index, value in enumerate(op.operands):
            if not is_tensor(value):
                values.append(value)
                continue
            buffer = run.buffer(value)
            if isinstance(outer, ops.WhileOp):
                buffer = run.cast_there(buffer, run.types.of(arguments_of(outer.before)[index]))
            elif not isinstance(outer, ops.ExecuteRegionOp):
                buffer = run.cast_there(buffer, run.types.of(outer.results[index]))
            values.append(buffer)
        run.replace_by(op, op.name, values)


# ---- forall


class Forall(Bufferizable):
    def reads(self, op: ops.ForallOp, use: Use, state: AnalysisState) -> bool:
        return True

    def writes(self, op: ops.ForallOp, use: Use, state: AnalysisState) -> bool:
        return True

    def aliases(self, op: ops.ForallOp, use: Use, state: AnalysisState) -> list[Alias]:
        return [Alias(op.results[use.place - (len(op.operands) - len(op.outputs))])]

    def is_writable(self, op: ops.ForallOp, value: Value, state: AnalysisState) -> bool:
        return True

    def buffer_type(self, op: ops.ForallOp, value: Value, types: Types) -> MemRefType:
        assert isinstance(value, (OpResult, BlockArgument)), "a value is a result or an argument"
        rank = len(op.staticUpperBound.values)
        return types.of(op.outputs[value.index - (rank if isinstance(value, BlockArgument) else 0)])

    def is_repetitive(self, op: ops.ForallOp, region: int) -> bool:
        ranges = zip(
            mixed(op.staticLowerBound, op.dynamicLowerBound),
            mixed(op.staticUpperBound, op.dynamicUpperBound),
            mixed(op.staticStep, op.dynamicStep),
            strict=True,
        )
        for lower, upper, step in ranges:
            first, last, by = known_number(lower), known_number(upper), known_number(step)
            if first is None or last is None or by is None or first + by < last:
                return True
        return False

    def is_parallel(self, op: ops.ForallOp, region: int) -> bool:
        return self.is_repetitive(op, region)

    def bufferize(self, op: ops.ForallOp, run: Bufferizer) -> None:
        buffers, body = run.buffers(op.outputs), op.region.first
        assert body is not None, "a loop has a body"
        rank = len(op.staticUpperBound.values)
        with run.elsewhere():
            run.set_insertion_to_start(body)
            pairs = zip(body.arguments[rank:], buffers, strict=True)
            seen = [run.tensor_of(buffer, argument.type) for argument, buffer in pairs]
        run.stand_before(op)
        counts = [len(values) for values in (op.dynamicLowerBound, op.dynamicUpperBound, op.dynamicStep)]
        properties = {**op.properties, "operandSegmentSizes": segment_sizes(*counts, 0)}
        new_body = run.block_of([INDEX] * rank)
        bounds = op.operands[: sum(counts)]
        run.create(op.name, bounds, (), properties, op.attributes, (), [Region([new_body])])
        run.inline_block_before(body, new_body, None, [*new_body.arguments, *seen])
        run.replace_by_buffers(op, buffers)


class InParallel(Bufferizable):
    """It has no tensors itself."""


BUFFERIZATION: Final = {
    "scf.condition": Condition(),
    "scf.execute_region": ExecuteRegion(),
    "scf.for": For(),
    "scf.forall": Forall(),
    "scf.forall.in_parallel": InParallel(),
    "scf.if": If(),
    "scf.index_switch": IndexSwitch(),
    "scf.while": While(),
    "scf.yield": Yield(),
}
