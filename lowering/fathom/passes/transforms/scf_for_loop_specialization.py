"""`scf-for-loop-specialization`: a copy of a loop for the bound that it mostly has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFForLoopSpecialization(Pass):
    """Where the upper bound is the least of several, one of them a number, as an `affine.min` says."""

    name = "scf-for-loop-specialization"
    summary = "makes loops with known bounds for the likely case"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ops.scf import ForOp
        from fathom.passes.loops.specialization import specialize

        specialize(op, context, ForOp)
        return []
