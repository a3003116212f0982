"""`affine-expand-index-ops`: indices that are joined and taken apart, as arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ExpandAffineIndexOpsPass(Pass):
    """`affine.delinearize_index` becomes divisions and remainders, `affine.linearize_index` products and sums."""

    name = "affine-expand-index-ops"
    summary = "lowers what joins indices or takes them apart to arithmetic"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.index_expansion import PATTERNS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, PATTERNS, context)
        return []
