"""`tosa-optional-decompositions`: convolutions that others can say as well, before linalg is made of them.

A convolution of each channel with one weight is a product; one that is transposed is a plain one of other shapes.
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
class TosaOptionalDecompositionsPass(Pass):
    """Shapes have to be known, but for how many images there are."""

    name = "tosa-optional-decompositions"
    summary = "says convolutions of tosa by simpler operations"
    anchor = "func.func"
    handles = ("tosa.depthwise_conv2d", "tosa.transpose_conv2d")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.tosa_optional_decompositions.depthwise import product
        from fathom.passes.transforms.tosa_optional_decompositions.transposed import plain, stepping
        from fathom.rewriting.greedy_driver import apply_patterns
        from fathom.rewriting.pattern import replacing

        patterns = (
            replacing("tosa.transpose_conv2d", plain, name="TransposeConvNonStridedConverter"),
            replacing("tosa.transpose_conv2d", stepping, name="TransposeConvStridedConverter"),
            replacing("tosa.depthwise_conv2d", product, name="DepthwiseConv2DIsMul"),
        )
        apply_patterns(op, patterns, context)
        return []
