"""`control-flow-sink`: what one branch uses is computed in that branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ControlFlowSink(Pass):
    """Of `scf.if`, `scf.index_switch` and their like; only what has no effect, and what nothing else uses."""

    name = "control-flow-sink"
    summary = "moves operations into the branches that use them"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.sinking import sink

        sink(op)
        return []
