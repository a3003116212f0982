"""What is computed of the index of a loop first goes into its bounds and step.

    scf.for %i = %a to %b step %c { %0 = arith.muli %i, %d … }
->
    %1 = arith.muli %a, %d … scf.for %i = %1 to %2 step %3 { … }

Source of the rules: `LoopRangeFolding.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ops.arith import AddiOp, MuliOp
from fathom.ops.scf import ForOp
from fathom.rewriting.loop_invariants import is_inside
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation


def fold_ranges(root: Operation, context: Context) -> None:
    """Of all loops, the inner ones first."""
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        if isinstance(op, ForOp):
            while _fold(op, rewriter):
                pass


def _fold(op: ForOp, rewriter: Rewriter) -> bool:
    """Takes in what uses the index, if that is one addition or multiplication by what the loop does not define."""
    index = op.region.entry.arguments[0]
    if sum(index.uses.values()) != 1:
        return False
    (user,) = index.uses
    if not isinstance(user, (AddiOp, MuliOp)):
        return False
    if any(value is not index and is_inside(value, op) for value in user.operands):
        return False
    rewriter.set_insertion_before(op)
    for place, bound in enumerate([op.lowerBound, op.upperBound, op.step]):
        if place < 2 or isinstance(user, MuliOp):
            op.set_operand(place, rewriter.clone(user, {index: bound}).result)
    user.result.replace_all_uses_with(index)
    user.erase()
    return True
