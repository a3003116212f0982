"""`affine-expand-index-ops-as-affine`: indices that are joined and taken apart, as maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ExpandAffineIndexOpsAsAffinePass(Pass):
    """`affine.delinearize_index` becomes quotients and remainders, `affine.linearize_index` one map."""

    name = "affine-expand-index-ops-as-affine"
    summary = "lowers what joins indices or takes them apart to affine.apply"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.index_maps import PATTERNS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, PATTERNS, context)
        return []
