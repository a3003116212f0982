"""Functions from types to types, by name: how the type of one value follows from that of another.

A description names them in `TypesMatchWith<"…", lhs, rhs, ElementType>`; the code of a dialect may supply more.
Each takes the types of the left-hand group and gives those of the right-hand group, or None where they do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from fathom.ir.dialect_values import DialectType
from fathom.ir.types import (
    I1,
    ComplexType,
    FloatType,
    FunctionType,
    MemRefType,
    ShapedType,
    TensorType,
    Type,
    VectorType,
)

TypeFunction: TypeAlias = "Callable[[list[Type]], list[Type] | None]"


def of_each(function: Callable[[Type], Type | None]) -> TypeFunction:
    """A function of one type, for each type of a group."""

    def apply(types: list[Type]) -> list[Type] | None:
        results = [made for made in map(function, types) if made is not None]
        return results if len(results) == len(types) else None

    return apply


def parameter_of(name: str) -> TypeFunction:
    """What the parameter of this name of a dialect's type is: a type, or several."""

    def apply(types: list[Type]) -> list[Type] | None:
        made: list[Type] = []
        for type in types:
            if not isinstance(type, DialectType) or name not in type.definition.names:
                return None
            value = type.parameter(name)
            for member in value if isinstance(value, tuple) else (value,):
                if not isinstance(member, Type):
                    return None
                made.append(member)
        return made

    return apply


def with_element(type: Type, element: Type) -> Type:
    """`element`, or the vector or tensor `type` with this element type."""
    match type:
        case VectorType(shape, _, scalable):
            return VectorType(shape, element, scalable)
        case TensorType(shape, _, encoding):
            return TensorType(shape, element, encoding)
        case _:
            return element


def is_float(type: Type) -> bool:
    """Whether a type is a float or a vector of floats."""
    return isinstance(type.element if isinstance(type, VectorType) else type, FloatType)


def element_of(type: Type) -> Type | None:
    """The element type of a shaped or complex type."""
    return type.element if isinstance(type, (ShapedType, ComplexType)) else None


def _element_of_complex_like(type: Type) -> Type | None:
    """`f32` in the shape of a type whose elements are `complex<f32>`."""
    element = type.element if isinstance(type, (VectorType, TensorType)) else type
    return with_element(type, element.element) if isinstance(element, ComplexType) else None


def _complex_of(type: Type) -> Type:
    """`complex<f32>` in the shape of a type whose elements are `f32`."""
    element = type.element if isinstance(type, (VectorType, TensorType)) else type
    return with_element(type, ComplexType(element))


def _tensor_of_memref(type: Type) -> Type | None:
    if not isinstance(type, MemRefType):
        return None
    return TensorType(type.shape, type.element)


TYPE_FUNCTIONS: Final[Mapping[str, TypeFunction]] = {
    "Same": list,
    "ElementType": of_each(element_of),
    "ElementTypeOrSelf": of_each(lambda type: type.element if isinstance(type, ShapedType) else type),
    "I1SameShape": of_each(lambda type: with_element(type, I1)),
    "ComplexPart": of_each(_element_of_complex_like),
    "ComplexOf": of_each(_complex_of),
    "TensorOf": of_each(_tensor_of_memref),
    "Inputs": lambda types: list(types[0].inputs) if types and isinstance(types[0], FunctionType) else None,
    "Results": lambda types: list(types[0].results) if types and isinstance(types[0], FunctionType) else None,
}
