"""Short forms that the patterns of `convert-spirv-to-llvm` share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseElementsAttr, FloatAttr, IntegerAttr, i32_attr
from fathom.ir.floats import from_float
from fathom.ir.types import I32, FloatType, ShapedType, Type, element_type
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

NO_TYPE: Final = Failure("type conversion failed")


def number(rewriter: Rewriter, value: int) -> Value:
    """`llvm.mlir.constant(4 : i32) : i32`."""
    return emit.constant(rewriter, I32, i32_attr(value))


def filled(rewriter: Rewriter, source: Type, converted: Type, value: int) -> Value:
    """A constant of a number, or of a vector that has it in each element; as the type was before it is converted."""
    part = element_type(source)
    held = from_float(value, part.name) if isinstance(part, FloatType) else value
    if isinstance(source, ShapedType):
        return emit.constant(rewriter, converted, DenseElementsAttr((held,), source))
    scalar = FloatAttr(held, part) if isinstance(part, FloatType) else IntegerAttr(held, part)
    return emit.constant(rewriter, converted, scalar)
