"""`convert-shape-to-std`: shapes as tensors of their extents.

    %s = shape.shape_of %t : tensor<?x3xf32> -> tensor<2xindex>
->
    %c0 = arith.constant 0 : index
    %d = tensor.dim %t, %c0 : tensor<?x3xf32>
    %c3 = arith.constant 3 : index
    %e = tensor.from_elements %d, %c3 : tensor<2xindex>
    %s = tensor.cast %e : tensor<2xindex> to tensor<2xindex>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertShapeToStandardPass(Pass):
    """Shapes and sizes that may be an error (`!shape.shape`, `!shape.size`) stay, and so do witnesses."""

    name = "convert-shape-to-std"
    summary = "lowers shape to arith, scf and tensor"
    anchor = MODULE
    handles = tuple(
        f"shape.{name}"
        for name in (
            "add any broadcast const_shape const_size cstr_broadcastable cstr_eq dim get_extent is_broadcastable mul "
            "rank reduce shape_eq shape_of split_at to_extent_tensor"
        ).split()
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_shape_to_std.patterns import patterns
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "scf", "tensor", "shape.cstr_require", "func.func", MODULE)
        return apply_partial_conversion(op, target, patterns(), context)
