"""`tosa-to-linalg-named`: convolutions, pools, products of matrices and transpositions as named operations of linalg.

    %0 = tosa.matmul %a, %b, %a_zp, %b_zp : (tensor<1x5x3xf32>, tensor<1x3x6xf32>, …) -> tensor<1x5x6xf32>
->
    %cst = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<1x5x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
    %2 = linalg.batch_matmul ins(%a, %b : …) outs(%1 : tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import FUNCTION, Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TosaToLinalgNamed(Pass):
    """What tosa has that is one operation of linalg, but for what is before and after it."""

    name = "tosa-to-linalg-named"
    summary = "lowers tosa's convolutions, pools, products and transpositions to named operations of linalg"
    anchor = FUNCTION
    handles = tuple(
        f"tosa.{name}"
        for name in ("conv2d", "conv3d", "depthwise_conv2d", "max_pool2d", "avg_pool2d", "matmul", "transpose")
    )

    prefer_conv2d_kernel_layout_hwcf: bool = option(
        False, "transpose the kernels of two dimensions so that their channels come last", BOOL
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.tosa_to_linalg_named.patterns import patterns
        from fathom.rewriting.conversion_driver import apply_full_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().illegal(*self.handles).others(True)
        chosen = patterns(channels_last=self.prefer_conv2d_kernel_layout_hwcf)
        return apply_full_conversion(op, target, chosen, context)
