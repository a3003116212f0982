"""`scf-for-to-while`: loops that count by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFForToWhileLoop(Pass):
    """The index is carried in front of the other values. The loops are not simpler for it, but of one kind."""

    name = "scf-for-to-while"
    summary = "turns scf.for into scf.while"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.whiles import PATTERNS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, PATTERNS, context)
        return []
