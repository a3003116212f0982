"""`affine-loop-normalize`: affine loops that count from zero by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class AffineLoopNormalizePass(Pass):
    """What the variable of a loop was is an `affine.apply` in it. A bound that is the greatest or least of
    several numbers stays, and the loop with it."""

    name = "affine-loop-normalize"
    summary = "has affine loops count from zero by one"
    anchor = "func.func"

    promote_single_iter: bool = option(False, "loops that run once are none any more", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ops.affine import ForOp, ParallelOp
        from fathom.passes.affine.normalization import normalize_for, normalize_parallel
        from fathom.rewriting.rewriter import Rewriter

        rewriter = Rewriter(context)
        for loop in list(op.walk_postorder()):
            if isinstance(loop, ForOp):
                normalize_for(loop, rewriter, promote=self.promote_single_iter)
            elif isinstance(loop, ParallelOp):
                normalize_parallel(loop, rewriter)
        return []
