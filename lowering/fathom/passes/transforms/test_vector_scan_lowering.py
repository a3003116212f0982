"""`test-vector-scan-lowering`: partial sums and the like as arithmetic on slices of vectors, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TestVectorScanLowering(Pass):
    """`vector.scan` in any dimension but a scalable one. `mlir-opt` has no other pass for it."""

    name = "test-vector-scan-lowering"
    summary = "writes vector.scan as element-wise operations"
    anchor = "func.func"
    handles = ("vector.scan",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.vectors.scans import SCANS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, SCANS, context)
        return []
