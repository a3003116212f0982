"""`cse`: one operation in place of several that compute the same, and none where nobody needs it."""

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
class CSE(Pass):
    """An operation goes where one that dominates it computes the same. Reads of memory count as the same as long as
    nothing is written between them, in one block."""

    name = "cse"
    summary = "keeps one of several operations that compute the same"
    by_function = True

    statistics = MappingProxyType(
        {"num-cse'd": "Number of operations CSE'd", "num-dce'd": "Number of operations DCE'd"}
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.counting import count
        from fathom.rewriting.common_subexpressions import eliminate_common_subexpressions

        same, unused = eliminate_common_subexpressions(op)
        count("num-cse'd", same)
        count("num-dce'd", unused)
        return []
