"""`mem2reg`: memory that is only loaded and stored becomes values."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class Mem2Reg(Pass):
    """What is allocated on the stack, if all that uses it can do without; how operations use it, their dialects say."""

    name = "mem2reg"
    summary = "turns memory on the stack into values"

    region_simplify: bool = option(True, "has no effect, as in mlir-opt", BOOL)

    statistics = MappingProxyType(
        {
            "promoted slots": "Total amount of memory slot promoted",
            "new block args": "Total amount of new block argument inserted in blocks",
        }
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.counting import count
        from fathom.rewriting.slot_promotion import promote_slots

        for region in op.regions:
            if not region.is_empty:
                promoted = promote_slots(region, context)
                count("promoted slots", promoted.slots)
                count("new block args", promoted.arguments)
        return []
