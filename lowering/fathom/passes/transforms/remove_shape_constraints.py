"""`remove-shape-constraints`: what shapes are asked for is taken to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class RemoveShapeConstraintsPass(Pass):
    """Equal shapes, and such that are repeated to one. What is required by other means stays."""

    name = "remove-shape-constraints"
    summary = "takes constraints on shapes to hold"
    anchor = "func.func"
    handles = ("shape.cstr_broadcastable", "shape.cstr_eq")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.shape.constraints import witness
        from fathom.rewriting.greedy_driver import apply_patterns
        from fathom.rewriting.pattern import replacing

        names = ("RemoveCstrBroadcastableOp", "RemoveCstrEqOp")
        patterns = (replacing(root, witness, name=name) for root, name in zip(self.handles, names, strict=True))
        apply_patterns(op, patterns, context)
        return []
