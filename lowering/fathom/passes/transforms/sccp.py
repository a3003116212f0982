"""`sccp`: finds values that are constant whatever way the program takes, along branches, regions and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCCP(Pass):
    """What is never reached counts for nothing; a function that is called from everywhere with the same constant has
    it for an argument. Uses of such values become uses of constants, and what computed them goes if nobody would miss
    it."""

    name = "sccp"
    summary = "replaces values that are constant on all ways that are taken"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.constant_replacement import replace_constants

        replace_constants(op, context)
        return []
