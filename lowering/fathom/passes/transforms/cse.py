"""`cse`: one operation in place of several that compute the same, and none where nobody needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class CSE(Pass):
    """An operation goes where one that dominates it computes the same. Reads of memory count as the same as long as
    nothing is written between them, in one block."""

    name = "cse"
    summary = "keeps one of several operations that compute the same"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.common_subexpressions import eliminate_common_subexpressions

        eliminate_common_subexpressions(op)
        return []
