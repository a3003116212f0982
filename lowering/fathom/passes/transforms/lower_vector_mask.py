"""`lower-vector-mask`: accesses to memory under a `vector.mask` get its mask as an operand.

    %0 = vector.mask %m { vector.transfer_read %t[%i], %p : tensor<?xf32>, vector<16xf32> } : vector<16xi1> -> …
->
    %0 = vector.transfer_read %t[%i], %p, %m : tensor<?xf32>, vector<16xf32>
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
class LowerVectorMaskPass(Pass):
    """Rewrites masks around `vector.transfer_read`, `vector.transfer_write` and `vector.gather`. Those around
    arithmetic stay for `convert-vector-to-llvm`."""

    name = "lower-vector-mask"
    summary = "gives accesses under a vector.mask its mask"
    anchor = "func.func"
    handles = ("vector.mask",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.vectors.masking import ACCESS
        from fathom.rewriting.canonicalization import CANONICALIZATION
        from fathom.rewriting.greedy_driver import apply_patterns

        patterns = [
            ACCESS,
            *(pattern for pattern in context.aspect(CANONICALIZATION, "vector") if pattern.root == ACCESS.root),
        ]
        apply_patterns(op, patterns, context)
        return []
