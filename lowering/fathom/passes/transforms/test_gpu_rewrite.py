"""`test-gpu-rewrite`: what conversions of GPU code write with simpler operations first, and subgroups by threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TestGpuRewritePass(Pass):
    """Global indices, shuffles of 64 bits, reductions over a block, and which subgroup a thread is of."""

    name = "test-gpu-rewrite"
    summary = "writes some operations of gpu as simpler ones, for tests"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.gpu_to_llvm.rewrites import REWRITES, SUBGROUP_ID
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, [*REWRITES, SUBGROUP_ID], context)
        return []
