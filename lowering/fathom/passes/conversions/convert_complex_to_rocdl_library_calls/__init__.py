"""`convert-complex-to-rocdl-library-calls`: functions of complex numbers to calls of AMD's device library.

    %0 = complex.sin %z : complex<f64>   ->   %0 = call @__ocml_csin_f64(%z) : (complex<f64>) -> complex<f64>

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertComplexToROCDLLibraryCallsPass(Pass):
    """Calls functions for absolute values, cosines, exponentials, logarithms, sines, square roots and tangents of `f32`
    and `f64`, and declares them; a power is computed by logarithm and exponential."""

    name = "convert-complex-to-rocdl-library-calls"
    summary = "lowers functions of complex numbers to calls of AMD's device library"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_complex_to_rocdl_library_calls.calls import FUNCTIONS, PATTERNS
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "func", "complex.create", "complex.mul")
        target.illegal(*FUNCTIONS, "complex.pow", "complex.powi")
        return apply_partial_conversion(op, target, PATTERNS, context)
