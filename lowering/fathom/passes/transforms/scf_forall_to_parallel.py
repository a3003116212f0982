"""`scf-forall-to-parallel`: `scf.forall` as `scf.parallel`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFForallToParallelLoop(Pass):
    """Only on buffers: an `scf.forall` that puts parts into shared tensors is an error."""

    name = "scf-forall-to-parallel"
    summary = "turns scf.forall into scf.parallel"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.shared import has_shared, replace_all, to_parallel

        return replace_all(op, context, has_shared, to_parallel)
