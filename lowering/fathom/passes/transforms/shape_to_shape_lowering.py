"""`shape-to-shape-lowering`: the number of elements as a product over the extents.

    %n = shape.num_elements %s : tensor<?xindex> -> index
->
    %c1 = arith.constant 1 : index
    %n = shape.reduce(%s, %c1) : tensor<?xindex> -> index {
    ^bb0(%i: index, %extent: index, %product: index):
      %p = shape.mul %extent, %product : index, index -> index
      shape.yield %p : index
    }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.ops import shape as ops
    from fathom.rewriting.rewriter import Rewriter


@record
class ShapeToShapeLowering(Pass):
    """What is left can be lowered by `convert-shape-to-std`, where it is of indices."""

    name = "shape-to-shape-lowering"
    summary = "lowers operations of shape to others of it"
    anchor = "func.func"
    handles = ("shape.num_elements",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import replacing
        from fathom.rewriting.target import ConversionTarget

        pattern = replacing("shape.num_elements", _product, name="NumElementsOpConverter")
        target = ConversionTarget().legal("arith", "shape").illegal(*self.handles)
        return apply_partial_conversion(op, target, [pattern], context)


def _product(op: ops.NumElementsOp, rewriter: Rewriter) -> Operation:
    """The product begins with one."""
    from fathom.ir.attributes import index_attr
    from fathom.ir.operation import Block, Region
    from fathom.ir.types import INDEX, TensorType
    from fathom.rewriting.rewriter import source_of

    type, shape, one = op.result.type, op.shape, index_attr(1)
    if type == INDEX:
        initial = rewriter.constant(one, type)
    else:
        initial = rewriter.create("shape.const_size", (), [type], {"value": one}).result
    extent = shape.type.element if isinstance(shape.type, TensorType) else type
    block = Block([INDEX, extent, type])
    sources = (op.result, shape, initial)
    for argument, value in zip(block.arguments, sources, strict=True):
        argument.span, argument.location = source_of(value)
    made = rewriter.create("shape.reduce", [shape, initial], [type], regions=[Region([block])])
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        product = rewriter.create("shape.mul", block.arguments[1:], [type]).result
        rewriter.create("shape.yield", [product])
    return made
