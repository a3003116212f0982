"""Short forms that the patterns of `convert-spirv-to-llvm` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.ir.attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.floats import from_float
from fathom.ir.types import FloatType, ShapedType, Type, element_type
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter

LowerTo: TypeAlias = "Callable[[Any, Sequence[Value], ConversionRewriter, Type], Failure | None]"
"""A lowering of an operation with one result, which is handed what the type of that becomes."""

NO_TYPE: Final = Failure("type conversion failed")


def typed(name: str) -> Callable[[LowerTo], Lower]:
    """As `named`, for patterns that do not apply where the type of the result becomes none."""

    def decorate(function: LowerTo) -> Lower:
        @named(name)
        def lower(
            op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
        ) -> Failure | None:
            result = types.convert(op.results[0].type)
            return function(op, operands, rewriter, result) if result is not None else NO_TYPE

        return lower

    return decorate


def filled(rewriter: Rewriter, source: Type, converted: Type, value: int) -> Value:
    """A constant of a number, or of a vector that has it in each element; as the type was before it is converted."""
    part = element_type(source)
    held = from_float(value, part.name) if isinstance(part, FloatType) else value
    if isinstance(source, ShapedType):
        return emit.constant(rewriter, converted, DenseElementsAttr((held,), source))
    scalar = FloatAttr(held, part) if isinstance(part, FloatType) else IntegerAttr(held, part)
    return emit.constant(rewriter, converted, scalar)
