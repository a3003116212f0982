"""`convert-bufferization-to-memref`: clones as allocations and copies, deallocations under conditions as branches.

Which of several buffers are deallocated, and which of those that are kept are owned afterwards, is found out at run
time by a function that is put beside those that need it.
"""

from __future__ import annotations

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
    handles = ("bufferization.clone", "bufferization.dealloc")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.ir.operation import is_module
        from fathom.irdl.traits import FUNCTION_LIKE
        from fathom.passes.conversions.convert_bufferization_to_memref import clones, deallocations
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        if not is_module(op) and not op.has(FUNCTION_LIKE):
            message = "root operation must be a builtin.module or a function"
            return [Diagnostic(message, op.span, code=PIPELINE, op=op)]
        helpers = deallocations.declare_helpers(op, context)
        diagnostics = deallocations.without_helper(op, helpers)
        target = ConversionTarget().legal("memref", "arith", "scf", "func").illegal("bufferization")
        patterns = [*clones.PATTERNS, *deallocations.patterns(helpers)]
        return diagnostics + apply_partial_conversion(op, target, patterns, context)
