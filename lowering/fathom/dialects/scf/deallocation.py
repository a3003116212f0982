"""What parallel loops free at the ends of their regions.

Source of the rules: `mlir/lib/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.options import NotFreed
from fathom.bufferization.origins import is_buffer
from fathom.bufferization.ownership import Deallocating, Ownership

if TYPE_CHECKING:
    from fathom.ops.scf import ForallInParallelOp, ReduceReturnOp
    from fathom.rewriting.rewriter import Rewriter


class InParallel(Deallocating):
    def process(self, op: ForallInParallelOp, state: Ownership, rewriter: Rewriter) -> None:
        if not op.region.entry.is_empty:
            raise NotFreed(op, "only supported when nested region is empty")
        state.free_before_end(op, (), rewriter)


class ReduceReturn(Deallocating):
    def process(self, op: ReduceReturnOp, state: Ownership, rewriter: Rewriter) -> None:
        if is_buffer(op.operands[0]):
            raise NotFreed(op, "only supported when operand is not a MemRef")
        state.free_before_end(op, (), rewriter)


DEALLOCATION: Final = {"scf.forall.in_parallel": InParallel(), "scf.reduce.return": ReduceReturn()}
