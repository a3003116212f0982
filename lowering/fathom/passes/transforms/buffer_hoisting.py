"""`buffer-hoisting`: buffers are allocated in front of the branches in which they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class BufferHoistingPass(Pass):
    """An allocation moves to the first block from which all that use it are reached, and where its sizes are known. It
    stays in its loop."""

    name = "buffer-hoisting"
    summary = "allocates buffers in front of branches"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.placement import move_to_dominators

        move_to_dominators(op, context)
        return []
