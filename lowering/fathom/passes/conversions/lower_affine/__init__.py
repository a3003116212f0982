"""`lower-affine`: affine loops, conditions, accesses and maps, in terms of scf, memref, vector and arith.

Loops keep their bodies; maps and sets become arithmetic on indices (`fathom.passes.affine_expansion`).
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
class LowerAffinePass(Pass):
    """An operation that cannot be lowered, because it divides by a number that is not positive, stays as it is and is
    reported."""

    name = "lower-affine"
    summary = "lowers affine to arith, scf and memref"
    by_function = True
    removes = ("affine",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.lower_affine import accesses, loops, numbers
        from fathom.passes.remarks import left_by
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "memref", "scf", "vector")
        patterns = [*numbers.PATTERNS, *accesses.PATTERNS, *loops.PATTERNS]
        reasons: dict[Operation, str] = {}
        diagnostics = apply_partial_conversion(op, target, patterns, context, reasons=reasons)
        return diagnostics + left_by(self, op, reasons)
