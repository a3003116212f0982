"""`affine-parallelize`: affine loops whose iterations may run in any order, as affine.parallel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class AffineParallelize(Pass):
    """A loop of which no iteration accesses what another one writes. Those that carry values stay, unless with
    `parallel-reductions` these are reductions."""

    name = "affine-parallelize"
    summary = "makes affine loops parallel that can be"
    anchor = "func.func"

    max_nested: int = option(2**32 - 1, "how many parallel loops stand in one another at most", UINT)
    parallel_reductions: bool = option(False, "also loops that reduce values", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.affine.effort import within_limits
        from fathom.passes.affine.parallel_loops import parallelize

        most, reduce = self.max_nested, self.parallel_reductions
        return within_limits(op, lambda: parallelize(op, context, most, reduce=reduce))
