"""`tosa-to-linalg`: operations of tosa as loops of linalg on tensors.

    %0 = tosa.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
->
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {…} ins(%a, %b : …) outs(%0 : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %2 = arith.addf %x, %y : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import FUNCTION, Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

LEFT: Final = ("apply_scale", "cond_if", "const", "const_shape", "while_loop", "concat", "slice", "reshape", "pad")
"""What other passes lower."""


@record
class TosaToLinalg(Pass):
    """Reshapes, control flow, constants and scaling are left to other passes; what has a named operation of linalg is
    to be lowered before. The options are of the pipeline around it."""

    name = "tosa-to-linalg"
    summary = "lowers tosa to linalg on tensors"
    anchor = FUNCTION
    handles = tuple(
        f"tosa.{name}"
        for name in (
            "abs add argmax arithmetic_right_shift bitwise_and bitwise_not bitwise_or bitwise_xor cast ceil clamp clz "
            "cos equal erf exp fft2d floor gather greater greater_equal identity intdiv log logical_and "
            "logical_left_shift logical_not logical_or logical_right_shift logical_xor maximum minimum mul negate pow "
            "reciprocal reduce_all reduce_any reduce_max reduce_min reduce_product reduce_sum rescale resize reverse "
            "rfft2d rsqrt select sigmoid sin sub table tanh tile"
        ).split()
    )

    disable_tosa_decompositions: bool = option(False, "do not decompose operations first", BOOL)
    aggressive_reduce_constant: bool = option(False, "always compute reductions of constants", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.tosa_to_linalg.patterns import patterns
        from fathom.rewriting.conversion_driver import apply_full_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("linalg", "tensor", "scf").illegal("tosa").others(True)
        target.legal(*(f"tosa.{name}" for name in LEFT))
        return apply_full_conversion(op, target, patterns(), context)
