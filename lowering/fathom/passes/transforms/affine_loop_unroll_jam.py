"""`affine-loop-unroll-jam`: an outer affine loop unrolled, with the loops in it jammed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import FUNCTION, Pass
from fathom.passes.options import UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LoopUnrollAndJam(Pass):
    """The loop with which a function begins; that no dependence stands against it is for who runs this to know."""

    name = "affine-loop-unroll-jam"
    summary = "unrolls an outer affine loop and jams the loops in it"
    anchor = FUNCTION

    unroll_jam_factor: int = option(4, "how many iterations become one", UINT)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.jamming import unroll_and_jam_first
        from fathom.rewriting.rewriter import Rewriter

        return unroll_and_jam_first(op.regions[0], self.unroll_jam_factor, Rewriter(context))
