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
    """On buffers: an `scf.forall` whose shared tensors are read, in it or after it, is an error."""

    name = "scf-forall-to-for"
    summary = "turns scf.forall into nests of scf.for"
    by_function = True
    handles = ("scf.forall",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.shared import replace_all, to_sequential, uses_shared

        return replace_all(op, context, uses_shared, to_sequential)
