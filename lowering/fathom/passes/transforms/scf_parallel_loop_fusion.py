"""`scf-parallel-loop-fusion`: parallel loops behind each other become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFParallelLoopFusion(Pass):
    """If they have the same bounds, nothing between them has an effect, and neither reads what the other writes in
    another iteration."""

    name = "scf-parallel-loop-fusion"
    summary = "fuses parallel loops over the same bounds"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.fusion import fuse_parallel_loops

        fuse_parallel_loops(op, context)
        return []
