"""`convert-linalg-to-loops`: structured operations on buffers as nests of `scf.for`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertLinalgToLoopsPass(Pass):
    """Loads the operands of each iteration, computes what the body says, and stores what it yields. Operations on
    tensors stay: they are bufferized before."""

    name = "convert-linalg-to-loops"
    summary = "writes linalg on memrefs as loops of scf"
    by_function = True
    removes = ("linalg",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.linalg_loops.nests import SEQUENTIAL
        from fathom.passes.linalg_loops.structured import lower_to_loops

        lower_to_loops(op, context, SEQUENTIAL)
        return []
