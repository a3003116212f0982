"""`tosa-infer-shapes`: results get the shapes that follow from the operands.

    %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
->
    %0 = tosa.add %a, %b : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %cast = tensor.cast %0 : tensor<2x3xf32> to tensor<?x?xf32>
    return %cast : tensor<?x?xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held


@record
class TosaInferShapesPass(Pass):
    """Into the regions of conditionals and loops too. Operations of other dialects whose types do not follow from
    their operands get what they had, by a cast."""

    name = "tosa-infer-shapes"
    summary = "finds shapes of tosa's results out"
    anchor = "func.func"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return any(name.startswith("tosa.") for name in held)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.tosa_infer_shapes.propagation import propagate

        return propagate(op, context)
