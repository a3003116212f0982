"""`convert-bufferization-to-memref`: clones as allocations and copies, deallocations under conditions as branches.

Which of several buffers are deallocated, and which of those that are kept are owned afterwards, is found out at run
time by a function that is put beside those that need it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class BufferizationToMemRefPass(Pass):
    """Runs on modules and functions. Operations between tensors and buffers are errors: bufferization removes them."""

    name = "convert-bufferization-to-memref"
    summary = "lowers bufferization's operations on memrefs to memref"
    removes = ("bufferization",)
    elsewhere = MappingProxyType(
        dict.fromkeys(
            (
                "bufferization.alloc_tensor",
                "bufferization.dealloc_tensor",
                "bufferization.materialize_in_destination",
                "bufferization.to_buffer",
                "bufferization.to_tensor",
            ),
            "--one-shot-bufferize",
        )
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_bufferization_to_memref import clones, deallocations
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("memref", "arith", "scf", "func").illegal("bufferization")
        return deallocations.lower_deallocations(op, target, clones.PATTERNS, context)
