"""`convert-complex-to-standard`: operations on complex numbers to operations of `arith` and `math` on their parts.

    %0 = complex.neg %z : complex<f32>
->
    %1 = complex.re %z : complex<f32>
    %2 = complex.im %z : complex<f32>
    %3 = arith.negf %1 : f32
    %4 = arith.negf %2 : f32
    %0 = complex.create %3, %4 : complex<f32>

What takes numbers apart and puts them together is left; `convert-complex-to-llvm` lowers that. Source of the rules:
*'complex' Dialect*; the formulas and the order of the operations are those of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.complex_division import IMPROVED, RANGE_HELP, complex_range
from fathom.passes.definition import Pass
from fathom.passes.options import option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


FUNCTIONS: Final = tuple(
    f"complex.{name}"
    for name in "angle atan2 conj cos eq exp expm1 log log1p neg neq pow powi rsqrt sign sin sqrt tan tanh".split()
)
"""What has no counterpart in the LLVM dialect."""


@record
class ConvertComplexToStandardPass(Pass):
    """Leaves `complex.constant`, `complex.create`, `complex.re`, `complex.im` and `complex.bitcast`."""

    name = "convert-complex-to-standard"
    summary = "writes complex arithmetic as arith and math on the two parts"
    by_function = True
    handles = (*FUNCTIONS, "complex.abs", "complex.div")

    complex_range: str = option(IMPROVED, RANGE_HELP, complex_range(IMPROVED))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_complex_to_standard.operations import patterns
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "math", "complex.create", "complex.im", "complex.re")
        return apply_partial_conversion(op, target, patterns(self.complex_range), context)
