"""`scf-forall-to-for`: iterations of `scf.forall` one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFForallToForLoop(Pass):
    """Only on buffers: an `scf.forall` that puts parts into shared tensors is an error."""

    name = "scf-forall-to-for"
    summary = "turns scf.forall into nests of scf.for"
    handles = ("scf.forall",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.shared import replace_all, to_sequential

        return replace_all(op, context, to_sequential)
