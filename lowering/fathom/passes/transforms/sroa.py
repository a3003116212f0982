"""`sroa`: memory for several things becomes memory for each of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SROA(Pass):
    """What is allocated on the stack for structs, arrays and memrefs of at most 16 elements, if it is used by its parts
    alone; of those, only such as are used."""

    name = "sroa"
    summary = "divides memory on the stack into its parts"

    statistics = MappingProxyType(
        {
            "destructured slots": "Total amount of memory slots destructured",
            "slots with memory benefit": "Total amount of memory slots in which the destructured size was smaller than "
            "the total size after eliminating unused fields",
            "max subelement number": "Maximal number of sub-elements a successfully destructured slot initially had",
        }
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.counting import count, count_most
        from fathom.rewriting.slot_division import divide_slots

        for region in op.regions:
            if not region.is_empty:
                divided = divide_slots(region, context)
                count("destructured slots", divided.slots)
                count("slots with memory benefit", divided.smaller)
                count_most("max subelement number", divided.most_parts)
        return []
