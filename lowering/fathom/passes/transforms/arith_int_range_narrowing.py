"""`arith-int-range-narrowing`: integers are computed with as few bits as they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import UINT, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ArithIntRangeNarrowing(Pass):
    """Operations on elements, and comparisons, whose operands and results fit into one of the widths get that type, the
    first that will do, with casts before and after."""

    name = "arith-int-range-narrowing"
    summary = "computes with fewer bits where the numbers are small"

    int_bitwidths_supported: tuple[int, ...] = option((), "how many bits integers may have", list_of(UINT))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.narrowing import narrow

        narrow(op, context, self.int_bitwidths_supported)
        return []
