"""`convert-math-to-libm`: mathematical functions to calls of the C library.

%0 = math.erf %x : f64   ->   %0 = call @erf(%x) : (f64) -> f64
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.ir.types import FloatType, VectorType
from fathom.passes.conversions.convert_math_to_libm.functions import FUNCTIONS
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held


@record
class ConvertMathToLibmPass(Pass):
    """Vectors are computed element by element, `f16` and `bf16` as `f32`; an operation that the C library has no
    function for, or not of its type, is an error."""

    name = "convert-math-to-libm"
    summary = "lowers math to calls of the C mathematics library"
    by_function = True
    anchor = MODULE
    handles = tuple(FUNCTIONS)

    @classmethod
    def is_for(cls, held: Held) -> bool:
        """Only for numbers and vectors; on others it fails."""
        operations = (op for name in cls.handles for op in held.get(name, ()))
        return any(isinstance(op.result.type, (FloatType, VectorType)) for op in operations)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_math_to_libm.calls import PATTERNS
        from fathom.passes.remarks import advice
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "builtin", "func", "vector").illegal("math")
        return apply_partial_conversion(
            op, target, PATTERNS, context, lambda left: None if left.name in self.handles else advice(left)
        )
