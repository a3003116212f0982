"""`convert-complex-to-libm`: functions of complex numbers to calls of the C library.

    %0 = complex.sin %z : complex<f64>   ->   %0 = call @csin(%z) : (complex<f64>) -> complex<f64>

`FUNCTIONS` of `calls` says which.
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
class ConvertComplexToLibm(Pass):
    """Calls `cabs`, `carg`, `ccos`, `clog`, `conj`, `cpow`, `csin`, `csqrt`, `ctan` and `ctanh`, and declares them;
    these operations on other floats than `f32` and `f64` are errors."""

    name = "convert-complex-to-libm"
    summary = "lowers functions of complex numbers to calls of the C mathematics library"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_complex_to_libm.calls import FUNCTIONS, PATTERNS
        from fathom.passes.remarks import advice
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("func").illegal(*FUNCTIONS)
        return apply_partial_conversion(op, target, PATTERNS, context, advice)
