"""`affine-scalrep`: what affine accesses store and load again is handed on as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class AffineScalarReplacement(Pass):
    """A load of what was surely stored last is the stored value, and one of what was loaded before, and not written
    since, is that. Stores that are overwritten before anybody reads them go, and so do buffers that nobody reads any
    more."""

    name = "affine-scalrep"
    summary = "hands on what is stored and loaded again"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.effort import within_limits
        from fathom.passes.affine.scalars import replace_by_scalars

        return within_limits(op, lambda: replace_by_scalars(op, context))
