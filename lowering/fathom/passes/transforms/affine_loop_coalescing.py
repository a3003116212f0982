"""`affine-loop-coalescing`: loops of which each is all that the one around it does, as one loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LoopCoalescingPass(Pass):
    """The loops of affine and of scf, if no bound depends on a variable. The variables are quotients and remainders
    of the one that is left."""

    name = "affine-loop-coalescing"
    summary = "makes one loop of loops that only hold one another"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.coalescing import coalesce_all
        from fathom.rewriting.rewriter import Rewriter

        coalesce_all(op, Rewriter(context))
        return []
