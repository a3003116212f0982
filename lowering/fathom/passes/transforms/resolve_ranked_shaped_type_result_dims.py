"""`resolve-ranked-shaped-type-result-dims`: sizes of results follow from the sizes of operands."""

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
class ResolveRankedShapeTypeResultDimsPass(Pass):
    """Of operations whose dialect says the sizes of their results (`result_shapes.py`)."""

    name = "resolve-ranked-shaped-type-result-dims"
    summary = "finds sizes of results without them"
    handles = ("memref.dim", "tensor.dim")

    error_on_pattern_iteration_limit: bool = option(True, "fail where it does not come to an end", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.shape.dims import resolve

        return resolve(op, context, must_end=self.error_on_pattern_iteration_limit)
