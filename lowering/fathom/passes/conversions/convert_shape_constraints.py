"""`convert-shape-constraints`: constraints on shapes as assertions.

    %w = shape.cstr_require %p, "not equal"
->
    cf.assert %p, "not equal"
    %w = shape.const_witness true
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
class ConvertShapeConstraintsPass(Pass):
    """Once asserted, what was asked for holds. How shapes are computed is left to `convert-shape-to-std`."""

    name = "convert-shape-constraints"
    summary = "lowers constraints on shapes to assertions"
    handles = ("shape.cstr_broadcastable", "shape.cstr_eq", "shape.cstr_require")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.shape.constraints import ASSERTED
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, ASSERTED, context)
        return []
