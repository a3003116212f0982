"""`linalg-specialize-generic-ops`: `linalg.generic` as the named operation that does the same.

    linalg.generic {…} ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) { … linalg.yield %in : f32 }
->
    linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [1, 0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LinalgSpecializeGenericOpsPass(Pass):
    """Copies, fills, broadcasts, transposes, element-wise operations, matrix products, convolutions and poolings.
    Operands that are read through a map are transposed and broadcast before, if that can be."""

    name = "linalg-specialize-generic-ops"
    summary = "turns linalg.generic into named operations"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.specialization import PATTERNS
        from fathom.passes.structured.unfolding import PATTERNS as UNFOLDING
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, [*PATTERNS, *UNFOLDING], context)
        return []
