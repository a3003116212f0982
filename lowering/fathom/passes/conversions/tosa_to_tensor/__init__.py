"""`tosa-to-tensor`: operations of tosa that move elements without computing, as those of tensor.

    %0 = tosa.slice %t, %start, %size : (tensor<6xf32>, …) -> tensor<2xf32>
->
    %0 = tensor.extract_slice %t[2] [2] [1] : tensor<6xf32> to tensor<2xf32>
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
class TosaToTensorPass(Pass):
    """Concatenation, padding, reshapes and slices, where the shapes they are given are constants."""

    name = "tosa-to-tensor"
    summary = "lowers tosa's concatenation, padding, reshapes and slices to tensor"
    handles = ("tosa.concat", "tosa.pad", "tosa.reshape", "tosa.slice")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.tosa_to_tensor.movements import patterns
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().illegal(*self.handles).legal("arith", "tensor")
        return apply_partial_conversion(op, target, patterns(), context)
