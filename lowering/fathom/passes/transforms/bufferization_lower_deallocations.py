"""`bufferization-lower-deallocations`: deallocations under conditions become branches around `memref.dealloc`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LowerDeallocationsPass(Pass):
    """Runs on modules and functions. Which of several buffers are freed is found out at run time by a function that is
    put beside those that need it; on a function alone, that is an error."""

    name = "bufferization-lower-deallocations"
    summary = "lowers bufferization.dealloc to memref"
    handles = ("bufferization.dealloc",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_bufferization_to_memref.deallocations import lower_deallocations
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("memref", "arith", "scf", "func").illegal("bufferization.dealloc")
        return lower_deallocations(op, target, (), context)
