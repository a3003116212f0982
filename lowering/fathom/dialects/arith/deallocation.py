"""Who owns the buffer that a choice is.

Source of the rules: `mlir/lib/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.ownership import Deallocating, Ownership
from fathom.ir.operation import Value
from fathom.ir.types import I1

if TYPE_CHECKING:
    from fathom.ops.arith import SelectOp
    from fathom.rewriting.rewriter import Rewriter


class Select(Deallocating):
    def unique(self, op: SelectOp, memref: Value, state: Ownership, rewriter: Rewriter) -> tuple[Value, Value]:
        """Owned as what is chosen is, where that is known of both."""
        owners = [state.of(value, op.parent) for value in (op.true_value, op.false_value)]
        conditions = [owner for owner in owners if isinstance(owner, Value)]
        if len(conditions) < len(owners):
            return super().unique(op, memref, state, rewriter)
        with rewriter.standing_in(op):
            return memref, rewriter.create(op.name, [op.condition, *conditions], [I1]).result


DEALLOCATION: Final = {"arith.select": Select()}
