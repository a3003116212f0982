"""`lift-cf-to-scf`: branches between blocks become conditionals and loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LiftControlFlowToSCFPass(Pass):
    """In functions of `func`, whatever ways there are through their blocks; where several kinds of operations return,
    one switch between these is left."""

    name = "lift-cf-to-scf"
    summary = "lifts cf to scf"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.lift_cf_to_scf.lifting import lift

        return lift(op, context)
