"""`scf-for-loop-peeling`: the last iteration of loops alone, if it is shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFForLoopPeeling(Pass):
    """The other iterations are whole, as an `affine.min` in them then knows."""

    name = "scf-for-loop-peeling"
    summary = "lets the last or first iteration of loops stand alone"

    peel_front: bool = option(False, "the first iteration instead", BOOL)
    skip_partial: bool = option(True, "loops in a last iteration stay", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.peeling import Peeling, without_labels
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, Peeling(self.peel_front, self.skip_partial).patterns(), context)
        without_labels(op)
        return []
