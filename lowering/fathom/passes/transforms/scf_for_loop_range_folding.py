"""`scf-for-loop-range-folding`: what is computed of an index first goes into the bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFForLoopRangeFolding(Pass):
    """An addition or a multiplication, if nothing else uses the index."""

    name = "scf-for-loop-range-folding"
    summary = "computes with the bounds of loops instead of with their indices"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.ranges import fold_ranges

        fold_ranges(op, context)
        return []
