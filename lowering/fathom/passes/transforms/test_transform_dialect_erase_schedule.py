"""`test-transform-dialect-erase-schedule`: the program without its schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TestTransformDialectEraseSchedulePass(Pass):
    """Sequences of the transform dialect go, and the modules that are marked to hold them."""

    name = "test-transform-dialect-erase-schedule"
    summary = "takes schedules in the transform dialect away"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transform_dialect.erasing import erase_schedules

        erase_schedules(op)
        return []
