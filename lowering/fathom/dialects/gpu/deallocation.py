"""What the body of a launch frees at its end.

Source of the rules: `mlir/lib/Dialect/GPU/Transforms/BufferDeallocationOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.ownership import Deallocating, Ownership

if TYPE_CHECKING:
    from fathom.ops.gpu import TerminatorOp
    from fathom.rewriting.rewriter import Rewriter


class Terminator(Deallocating):
    def process(self, op: TerminatorOp, state: Ownership, rewriter: Rewriter) -> None:
        state.free_before_end(op, (), rewriter)


DEALLOCATION: Final = {"gpu.terminator": Terminator()}
