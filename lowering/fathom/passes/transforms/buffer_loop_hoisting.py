"""`buffer-loop-hoisting`: buffers that each iteration has anew are allocated once, in front of the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class BufferLoopHoistingPass(Pass):
    """An allocation moves out of loops whose iterations do not hand it on, as far as its sizes are known there. Of
    loops that run in parallel each iteration keeps its own."""

    name = "buffer-loop-hoisting"
    summary = "allocates buffers in front of loops"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.placement import move_out_of_loops

        move_out_of_loops(op, context)
        return []
