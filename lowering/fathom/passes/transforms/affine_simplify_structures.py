"""`affine-simplify-structures`: maps and sets of affine operations, simplified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SimplifyAffineStructures(Pass):
    """The maps and sets of all operations; then `affine.apply`, `affine.for` and `affine.if` fold and are canonical."""

    name = "affine-simplify-structures"
    summary = "simplifies affine maps and sets"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.effort import within_limits
        from fathom.passes.affine.simplification import simplify_structures

        return within_limits(op, lambda: simplify_structures(op, context))
