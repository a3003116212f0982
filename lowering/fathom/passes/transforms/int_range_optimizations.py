"""`int-range-optimizations`: what can be one number only becomes a constant, and what a remainder leaves as it is,
stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class IntRangeOptimizationsPass(Pass):
    """Between which numbers an integer lies is found out along branches, regions and calls; how operations narrow it
    down, their dialects say."""

    name = "int-range-optimizations"
    summary = "replaces integers by the only number that they can be"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.int_ranges import use_known_numbers

        use_known_numbers(op, context)
        return []
