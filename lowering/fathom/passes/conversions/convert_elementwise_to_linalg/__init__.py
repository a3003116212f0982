"""`convert-elementwise-to-linalg`: arithmetic on tensors as `linalg.generic`, which can be bufferized.

    %0 = arith.addf %a, %b : tensor<4xf32>
->
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %1 = arith.addf %x, %y : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
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
class ConvertElementwiseToLinalgPass(Pass):
    """Operations of every dialect that work on each element on its own, where an operand is a tensor with a rank."""

    name = "convert-elementwise-to-linalg"
    summary = "turns element-wise operations on tensors into linalg.generic"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_elementwise_to_linalg.generic import to_generic, works_on_tensors
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        names = dict.fromkeys(inner.name for inner in op.walk() if works_on_tensors(inner))
        target = ConversionTarget().others(lambda other: not works_on_tensors(other))
        return apply_partial_conversion(
            op,
            target,
            [Pattern(name, to_generic, name="ConvertAnyElementwiseMappableOpOnRankedTensors") for name in names],
            context,
        )
