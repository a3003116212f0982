"""`reify-result-shapes`: padded and joined tensors get the sizes that are known of them.

    %0 = tensor.concat dim(0) %a, %b : (tensor<2x?xf32>, tensor<2x4xf32>) -> tensor<?x?xf32>
->
    %0 = tensor.concat dim(0) %a, %b : (tensor<2x?xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %cast = tensor.cast %0 : tensor<4x4xf32> to tensor<?x?xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.ops.tensor import ConcatOp, PadOp
    from fathom.rewriting.rewriter import Rewriter


@record
class ReifyResultShapesPass(Pass):
    """What computes the sizes stays, whether it is used or not."""

    name = "reify-result-shapes"
    summary = "finds the sizes of tensor.pad and tensor.concat out"
    handles = ("tensor.pad", "tensor.concat")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ops.tensor import ConcatOp, PadOp
        from fathom.rewriting.rewriter import Rewriter

        rewriter = Rewriter(context)
        for target in [inner for inner in op.walk_postorder() if isinstance(inner, (PadOp, ConcatOp))]:
            _reify(target, rewriter)
        return []


def _reify(op: PadOp | ConcatOp, rewriter: Rewriter) -> None:
    from fathom.ir.types import DYNAMIC, TensorType
    from fathom.records import replace
    from fathom.rewriting.folding import known_number
    from fathom.rewriting.result_shapes import sizes_of_result

    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    sizes, type = sizes_of_result(op.result, rewriter), op.result.type
    if sizes is None or not isinstance(type, TensorType):
        return
    numbers = [known_number(size) for size in sizes]
    shape = tuple(DYNAMIC if number is None else number for number in numbers)
    if shape == type.shape:
        return
    made = rewriter.clone(op, {})
    made.result.type = replace(type, shape=shape)
    rewriter.replace(op, [rewriter.create("tensor.cast", [made.result], [type]).result])
