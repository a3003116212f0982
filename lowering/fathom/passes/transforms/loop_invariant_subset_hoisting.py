"""`loop-invariant-subset-hoisting`: parts of carried tensors are taken out and put in once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LoopInvariantSubsetHoisting(Pass):
    """Of slices and transfers in `scf.for` that are of the same part in each iteration; the part is carried in its
    place."""

    name = "loop-invariant-subset-hoisting"
    summary = "takes parts of carried tensors out of and into loops once"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops.subsets import hoist_subsets

        hoist_subsets(op, context)
        return []
