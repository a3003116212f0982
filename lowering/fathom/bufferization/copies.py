"""Copies of tensors, put in where an operand must not be written in place, as `bufferization.alloc_tensor`.

Source of the rules: *Bufferization*, "Copy insertion", and `BufferizableOpInterface.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.models import Alias
from fathom.bufferization.onlookers import onlooker
from fathom.bufferization.options import Refusal
from fathom.bufferization.uses import Use, owner_of, tensor_uses
from fathom.ir.operation import OpResult
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.ops.tensor import DimOp
from fathom.rewriting.result_shapes import sizes_of
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.bufferization.state import AnalysisState
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value

UNRANKED = "copying of unranked tensors is not implemented"


def insert_copies(op: Operation, run: Bufferizer, state: AnalysisState) -> None:
    """Puts in copies of all that is in an operation, but for what is in another symbol table. Raises Refusal."""
    tell_what_is_decided(op, state)
    for inner in operations_in(op):
        model = state.model(inner)
        if model is not None:
            checkpoint()
            run.stand_before(inner)
            model.resolve(inner, run, state)


def tell_what_is_decided(op: Operation, state: AnalysisState) -> None:
    """Tells who looks on that all is decided of an operation and what is in it."""
    if (watched := onlooker()) is not None:
        watched.decided(op, state)


def operations_in(op: Operation) -> list[Operation]:
    """All operations in one, those inside of another first, but for what is in another symbol table."""
    return [inner for inner in op.walk_postorder() if not op.has(SYMBOL_TABLE) or _table_around(inner) is op]


def _table_around(op: Operation) -> Operation | None:
    around = op.parent_op
    while around is not None and not around.has(SYMBOL_TABLE):
        around = around.parent_op
    return around


def copy_operands(op: Operation, run: Bufferizer, state: AnalysisState) -> None:
    """Copies the operands of an operation that are not in place; or, of one that only shows a part of one, what it
    shows. Raises Refusal."""
    operands: list[tuple[Use, bool]] = []
    results: list[tuple[OpResult, bool]] = []
    for use in tensor_uses(op):
        if state.is_in_place(use):
            continue
        type = use.value.type
        if isinstance(type, TensorType) and type.shape is None:
            raise Refusal(op, UNRANKED, is_bare=True)
        result = _only_name(use, state.aliases(use), state)
        needs_contents = not state.can_omit_copy(use)
        if result is not None:
            results.append((result, needs_contents))
        else:
            operands.append((use, needs_contents))
    run.stand_before(op)
    for use, needs_contents in operands:
        op.set_operand(use.place, allocate_tensor(run, use.value, copies=needs_contents))
    run.stand_after(op)
    for result, needs_contents in results:
        copy = allocate_tensor(run, result, copies=needs_contents)
        for user in list(result.uses):
            if user is not copy.defining_op and not isinstance(user, DimOp):
                for index, operand in enumerate(user.operands):
                    if operand is result:
                        user.set_operand(index, copy)


def _only_name(use: Use, aliases: list[Alias], state: AnalysisState) -> OpResult | None:
    """The result that alone has the buffer of an operand, and of no other, where the operation writes nothing."""
    if len(aliases) != 1 or not isinstance(result := aliases[0].value, OpResult) or state.writes(use):
        return None
    ranked = isinstance(result.type, TensorType) and result.type.shape is not None
    return result if ranked and len(state.sources(result)) == 1 else None


def allocate_tensor(run: Bufferizer, shaped: Value, *, copies: bool = True) -> Value:
    """A new tensor of the shape of a value; with its contents, or with such as are not defined. Raises Refusal."""
    type = shaped.type
    owner = owner_of(shaped)
    if not isinstance(type, (TensorType, MemRefType)) or type.shape is None:
        assert owner is not None, "a value belongs to an operation"
        raise Refusal(owner, UNRANKED, is_bare=True)
    tensor = shaped
    if isinstance(type, MemRefType):
        tensor = run.create("bufferization.to_tensor", [shaped], [TensorType(type.shape, type.element)]).result
    sizes = [] if copies else sizes_of(run, tensor)
    properties: dict[str, Attribute] = {"operandSegmentSizes": segment_sizes(len(sizes), int(copies), 0)}
    if not copies:
        space = run.types.of(tensor).space
        if space is not None:
            properties["memory_space"] = space
    operands = [*sizes, *([tensor] if copies else [])]
    return run.create("bufferization.alloc_tensor", operands, [tensor.type], properties).result
