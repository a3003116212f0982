"""`topological-sort`: graph regions in the order of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TopologicalSort(Pass):
    """Only regions in which order does not matter, as those of modules."""

    name = "topological-sort"
    summary = "sorts graph regions so that uses follow definitions"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.ordering import sort_graphs

        sort_graphs(op)
        return []
