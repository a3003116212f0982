"""What a conditional branch frees: other buffers on each way.

Source of the rules: `mlir/lib/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.origins import is_buffer
from fathom.bufferization.ownership import Deallocating, Ownership, constant
from fathom.ir.operation import Value
from fathom.ir.types import I1
from fathom.irdl.interfaces import Branch

if TYPE_CHECKING:
    from fathom.ops.cf import CondBrOp
    from fathom.rewriting.rewriter import Rewriter


class CondBr(Deallocating):
    """What is freed on a way is what the block owns, if control takes it. What is used on both ways is owned as the way
    that is taken says."""

    def process(self, op: CondBrOp, state: Ownership, rewriter: Rewriter) -> None:
        branch = op.interface(Branch)
        assert branch is not None, "its definition says so"
        memory, conditions = state.to_free(op, rewriter)
        passed: dict[int, list[Value]] = {}
        owners: list[dict[Value, Value]] = []
        for way, edge in enumerate(branch.edges(op)):
            retained = state.to_retain(op.parent, edge.target, edge.passed)
            taken = [_if_taken(op, way, condition, rewriter) for condition in conditions]
            made = state.deallocate(op, memory, taken, retained, rewriter)
            owners.append(dict(zip(retained, made, strict=True)))
            passed[way] = [*edge.passed, *(owners[way][value] for value in edge.passed if is_buffer(value))]
        branch.change(op, passed)
        first, second = owners
        for memref in second:
            if memref in first:
                state.forget([memref], op.parent)
                operands = [op.condition, first[memref], second[memref]]
                state.add(memref, rewriter.create("arith.select", operands, [I1]).result, op.parent)


def _if_taken(op: CondBrOp, way: int, condition: Value, rewriter: Rewriter) -> Value:
    """A condition, and that control goes this way."""
    taken: Value = op.condition
    if way:
        taken = rewriter.create("arith.xori", [constant(rewriter, True), taken], [I1]).result
    return rewriter.create("arith.andi", [condition, taken], [I1]).result


DEALLOCATION: Final = {"cf.cond_br": CondBr()}
