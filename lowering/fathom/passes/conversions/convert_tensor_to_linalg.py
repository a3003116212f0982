"""`convert-tensor-to-linalg`: padding as a tensor that is filled, into which what is padded is put.

    %r = tensor.pad %t low[1] high[2] { … tensor.yield %f : f32 } : tensor<4xf32> to tensor<7xf32>
->
    %0 = tensor.empty() : tensor<7xf32>
    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<7xf32>) -> tensor<7xf32>
    %r = tensor.insert_slice %t into %1[1] [4] [1] : tensor<4xf32> into tensor<7xf32>
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
class ConvertTensorToLinalgPass(Pass):
    """Where the padding is not one value, `tensor.generate` makes it."""

    name = "convert-tensor-to-linalg"
    summary = "lowers padding to linalg.fill and slices"
    handles = ("tensor.pad",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.padding import PATTERNS
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "linalg", "tensor").illegal("tensor.pad")
        return apply_partial_conversion(op, target, PATTERNS, context)
