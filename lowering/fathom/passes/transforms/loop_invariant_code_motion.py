"""`loop-invariant-code-motion`: moves out of loops what is the same in each iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LoopInvariantCodeMotion(Pass):
    """What has no effects, and may run though the loop has no iteration, goes in front of the loop if it uses nothing
    that the loop defines. Inner loops come first."""

    name = "loop-invariant-code-motion"
    summary = "moves what is the same in each iteration out of loops"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.loop_invariants import move_loop_invariants

        move_loop_invariants(op)
        return []
