"""`convert-arith-to-apfloat`: arithmetic on floats as calls of functions that get their bits.

    %0 = arith.negf %a : f8E4M3FN
->
    %1 = arith.bitcast %a : f8E4M3FN to i8
    %2 = arith.extui %1 : i8 to i64
    %3 = arith.constant 10 : i32
    %4 = call @_mlir_apfloat_neg(%3, %2) : (i32, i64) -> i64
    %5 = arith.trunci %4 : i64 to i8
    %0 = arith.bitcast %5 : i8 to f8E4M3FN
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
class ArithToAPFloatConversionPass(Pass):
    """For floats of at most 64 bits, and vectors of them, which are taken apart."""

    name = "convert-arith-to-apfloat"
    summary = "lowers arith on floats to calls of functions"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.software_floats import OF_ARITH, call_for_floats

        return call_for_floats(op, OF_ARITH, context, takes_vectors=True)
