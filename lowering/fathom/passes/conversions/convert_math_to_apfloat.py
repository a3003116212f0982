"""`convert-math-to-apfloat`: some mathematics on floats as calls of functions that get their bits.

    %0 = math.isnan %a : f8E4M3FN
->
    %1 = arith.bitcast %a : f8E4M3FN to i8
    %2 = arith.extui %1 : i8 to i64
    %3 = arith.constant 10 : i32
    %0 = call @_mlir_apfloat_isnan(%3, %2) : (i32, i64) -> i1
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
class MathToAPFloatConversionPass(Pass):
    """For floats of at most 64 bits, not vectors of them: absolute values, products with sums, and questions."""

    name = "convert-math-to-apfloat"
    summary = "lowers math on floats to calls of functions"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.software_floats import OF_MATH, call_for_floats

        return call_for_floats(op, OF_MATH, context, takes_vectors=False)
