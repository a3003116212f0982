"""`strip-debuginfo`: forgets where operations come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class StripDebugInfo(Pass):
    """The operation, those in it and the arguments of their blocks have no known location."""

    name = "strip-debuginfo"
    summary = "forgets where operations come from"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ir.locations import UnknownLoc

        unknown = UnknownLoc()
        for inner in op.walk():
            inner.location = unknown
            for region in inner.regions:
                for block in region.blocks:
                    for argument in block.arguments:
                        argument.location = unknown
        return []
