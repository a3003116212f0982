"""`affine-loop-invariant-code-motion`: what affine loops do the same in each iteration is done in front of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class AffineLoopInvariantCodeMotion(Pass):
    """Also loads, and stores, of what nothing else in the loop writes or reads, by any name, if the loop is known to
    run. MLIR 22 moves them out of loops that may not run, too, and past calls and stores to views."""

    name = "affine-loop-invariant-code-motion"
    summary = "moves what does not change out of affine loops"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.effort import within_limits
        from fathom.passes.affine.invariants import move_invariants

        return within_limits(op, lambda: move_invariants(op, context))
