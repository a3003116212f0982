"""What is done to a module before its tensors get memory; and what in it stays on tensors, since something in it has no
form with memrefs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from fathom.bufferization.functions import (
    WRITABLE,
    Functions,
    argument_attribute,
    signature,
    with_argument_attribute,
)
from fathom.bufferization.models import BUFFERIZATION, View, has_tensors
from fathom.bufferization.options import Refusal
from fathom.bufferization.regions import may_run_again
from fathom.ir.attributes import UNIT, IntegerAttr
from fathom.ir.operation import OpResult, is_module
from fathom.ir.types import I1, MemRefType, TensorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.interfaces import RegionBranch, Symbol
from fathom.irdl.traits import CONSTANT_LIKE, SYMBOL_TABLE, TERMINATOR
from fathom.ops.bufferization import MaterializeInDestinationOp, ToBufferOp, ToTensorOp
from fathom.ops.func import CallOp
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.bufferization.models import Bufferizable
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value


OF_TENSORS: Final = ("shape", "tosa")
"""The dialects that say something of tensors, and have types of their own for it."""


def drop_idle(module: Operation) -> None:
    """Erases operations on tensors that have no form with memrefs, where nobody uses what they give, and what is
    computed for these alone."""
    pending = [op for op in module.walk() if (has_tensors(op) or op.dialect in OF_TENSORS) and _model(op) is None]
    while pending:
        op = pending.pop()
        if op.parent is None or op.has(TERMINATOR) or not is_memory_effect_free(op) or any(r.uses for r in op.results):
            continue
        behind = [maker for value in op.operands if (maker := value.defining_op) is not None]
        op.erase()
        pending += behind


def keep_arguments(functions: Iterable[Operation]) -> None:
    """Functions that anybody may call do not write the tensors that they are given, unless their arguments say so, or
    they are about buffers too: these are values, and stay what they are."""
    for function in functions:
        symbol = function.interface(Symbol)
        if symbol is None or symbol.visibility(function) == "private":
            continue
        if any(isinstance(op, (MaterializeInDestinationOp, ToBufferOp)) for op in function.walk()):
            continue
        for index, type in enumerate(signature(function).inputs):
            if isinstance(type, TensorType) and argument_attribute(function, index, WRITABLE) is None:
                with_argument_attribute(function, index, WRITABLE, IntegerAttr(0, I1))


def copy_what_may_change(module: Operation, context: Context) -> None:
    """Copies a buffer where a tensor is made of it, if nobody says that the tensor alone has it (`restrict`): what the
    buffer holds may change, while a tensor is a value."""
    rewriter = Rewriter(context)
    for op in list(module.walk()):
        if isinstance(op, ToTensorOp) and op.restrict is None and isinstance(op.buffer.type, MemRefType):
            op.properties["restrict"] = UNIT
            users = list(op.result.uses)
            assert op.next is not None, "it ends no block"
            rewriter.set_insertion_before(op.next)
            rewriter.stand_in(op)
            copy = _copied(op.result, rewriter)
            for user in users:
                for place in op.result.places_in(user):
                    user.set_operand(place, copy)


def _copied(value: Value, rewriter: Rewriter) -> Value:
    sizes = {"operandSegmentSizes": segment_sizes(0, 1, 0)}
    return rewriter.create("bufferization.alloc_tensor", [value], [value.type], sizes).result


def own_what_loops_carry(module: Operation, context: Context) -> None:
    """Copies what a loop carries on twice, or what nobody may write. Bufferization takes what loops carry for several
    buffers, each of which may be written without a look at the others, or at what it was made of."""
    rewriter = Rewriter(context)
    for op in list(module.walk()):
        carried = [place for place, value in enumerate(op.operands) if isinstance(value.type, TensorType)]
        if not carried or not op.has(TERMINATOR) or not _ends_a_round(op):
            continue
        seen: set[Value] = set()
        for place in carried:
            value = op.operands[place]
            origins: set[Value] = set()
            _trace(value, origins)
            if any(origin in seen or _is_constant(origin) for origin in origins):
                rewriter.set_insertion_before(op)
                rewriter.stand_in(op)
                op.set_operand(place, _copied(value, rewriter))
            seen |= origins


def _ends_a_round(op: Operation) -> bool:
    """Whether it ends a region that may run again."""
    outer, region = op.parent_op, op.parent.parent if op.parent is not None else None
    return outer is not None and region is not None and may_run_again(outer, outer.regions.index(region))


def _trace(value: Value, values: set[Value]) -> None:
    """Finds the values of which a value is one, or shows a part."""
    if value in values:
        return
    values.add(value)
    maker = value.defining_op
    if maker is None or not isinstance(value, OpResult):
        return
    if isinstance(_model(maker), View):
        _trace(maker.operands[0], values)
    elif (branch := maker.interface(RegionBranch)) is not None:
        edges = [*branch.enter(maker, [None] * len(maker.operands))]
        for block in (block for region in maker.regions for block in region.blocks):
            end = block.last
            if end is not None and end.has(TERMINATOR) and not end.successors:
                edges += branch.leave(maker, end, [None] * len(end.operands))
        for edge in edges:
            place = value.index - edge.first
            if edge.target is None and 0 <= place < len(edge.passed):
                _trace(edge.passed[place], values)


def _is_constant(value: Value) -> bool:
    maker = value.defining_op
    return maker is not None and (
        maker.has(CONSTANT_LIKE) or (isinstance(maker, ToTensorOp) and maker.writable is None)
    )


def kept_on_tensors(module: Operation) -> list[Operation]:
    """The operations directly in a module in which something cannot be given memory, and the functions that call one of
    these, in their order."""
    inner = [op for region in module.regions for block in region.blocks for op in block if not op.has(SYMBOL_TABLE)]
    kept = {op for op in inner if any(map(has_no_form, op.walk()))}
    pending = list(kept)
    callers = _callers(module, inner) if pending else {}
    while pending:
        more = [op for op in callers.get(pending.pop(), ()) if op not in kept]
        kept.update(more)
        pending += more
    return [op for op in inner if op in kept]


def _callers(module: Operation, inner: list[Operation]) -> dict[Operation, list[Operation]]:
    """For each function, what calls it with tensors, or for such."""
    functions = Functions(module)
    callers: dict[Operation, list[Operation]] = {}
    for op in inner:
        for call in _calls(op):
            called = functions.called(call)
            if called is not None:
                callers.setdefault(called, []).append(op)
    return callers


def _calls(op: Operation) -> Iterator[Operation]:
    return filter(is_call_on_tensors, op.walk())


def is_call_on_tensors(op: Operation) -> bool:
    """Whether an operation calls a function with tensors, or for such."""
    return isinstance(op, CallOp) and has_tensors(op)


def has_no_form(op: Operation) -> bool:
    """Whether an operation on tensors cannot become one on memrefs."""
    model = _model(op)
    if model is None:
        return has_tensors(op)
    if not model.has_tensors(op):
        return False
    from fathom.bufferization.analysis import check_blocks

    try:
        check_blocks(op, model)
    except Refusal:
        return True
    return False


def culprits_in(op: Operation) -> list[Operation]:
    """What in an operation keeps it on tensors: all that has no form with memrefs, or else the calls of what stays."""
    return [inner for inner in op.walk() if has_no_form(inner)] or list(_calls(op))


def outermost_around(op: Operation) -> Operation:
    """What stands directly in a module, with an operation in it."""
    while (around := op.parent_op) is not None and not is_module(around):
        op = around
    return op


def _model(op: Operation) -> Bufferizable | None:
    return op.definition.told(BUFFERIZATION) if op.definition is not None else None
