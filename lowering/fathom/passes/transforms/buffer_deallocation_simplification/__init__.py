"""`buffer-deallocation-simplification`: less has to be found out at run time about which buffers are freed.

    bufferization.dealloc (%a, %b : …) if (%c, %d)
->
    bufferization.dealloc (%a : …) if (%c)
    bufferization.dealloc (%b : …) if (%d)
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
class BufferDeallocationSimplificationPass(Pass):
    """Goes by where buffers come from: two that are allocated at different places are never the same."""

    name = "buffer-deallocation-simplification"
    summary = "simplifies bufferization.dealloc where it is known which buffers differ"
    handles = ("bufferization.dealloc",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.buffer_deallocation_simplification.patterns import simplify

        simplify(op, context)
        return []
