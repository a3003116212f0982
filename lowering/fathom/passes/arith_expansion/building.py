"""What expansions of arithmetic are built from: constants, operations of two values, comparisons, choices, casts.

All take scalars, vectors and tensors of a known shape; what they make has the shape of what they get.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import CMPF_PREDICATES, CMPI_PREDICATES
from fathom.dialects.arith.elements import constant as constant_attribute
from fathom.dialects.arith.elements import truth_type
from fathom.ir.attributes import i64_attr
from fathom.ir.types import FloatType, IntegerType, ShapedType, Type
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

F32: Final = FloatType("f32")


def shaped_as(type: Type, element: Type) -> Type:
    """`element`, in the shape of `type` if that has one."""
    return replace(type, element=element) if isinstance(type, ShapedType) else element


def integer_as(type: Type, width: int) -> Type:
    """Integers of a width in the shape of `type`."""
    return shaped_as(type, IntegerType(width))


def has_constants(type: Type) -> bool:
    """Whether there are constants of the type: not where its shape is not known."""
    return not isinstance(type, ShapedType) or type.has_static_shape


def constant(rewriter: ConversionRewriter, type: Type, value: int) -> Value:
    """Inserts `arith.constant`, of a vector with the value in every element; a float is given by its bits. Raises
    ValueError for a type that has none."""
    attribute = constant_attribute(value, type)
    if attribute is None:
        raise ValueError(f"there is no constant of type {type}")
    return rewriter.create("arith.constant", (), [type], {"value": attribute}).result


def unary(
    rewriter: ConversionRewriter,
    name: str,
    value: Value,
    type: Type,
    properties: Mapping[str, Attribute] | None = None,
) -> Value:
    """Inserts a cast to a type."""
    return rewriter.create(f"arith.{name}", [value], [type], properties).result


def binary(
    rewriter: ConversionRewriter,
    name: str,
    lhs: Value,
    rhs: Value,
    properties: Mapping[str, Attribute] | None = None,
) -> Value:
    """Inserts an operation on two values whose result has their type."""
    return rewriter.create(f"arith.{name}", [lhs, rhs], [lhs.type], properties).result


def compare(rewriter: ConversionRewriter, predicate: str, lhs: Value, rhs: Value) -> Value:
    """Inserts `arith.cmpi`."""
    return _compare(rewriter, "arith.cmpi", CMPI_PREDICATES[predicate], lhs, rhs)


def compare_floats(rewriter: ConversionRewriter, predicate: str, lhs: Value, rhs: Value) -> Value:
    """Inserts `arith.cmpf`."""
    return _compare(rewriter, "arith.cmpf", CMPF_PREDICATES[predicate], lhs, rhs)


def _compare(rewriter: ConversionRewriter, name: str, predicate: int, lhs: Value, rhs: Value) -> Value:
    return rewriter.create(name, [lhs, rhs], [truth_type(lhs.type)], {"predicate": i64_attr(predicate)}).result


def select(rewriter: ConversionRewriter, condition: Value, true: Value, false: Value) -> Value:
    """Inserts `arith.select`."""
    return rewriter.create("arith.select", [condition, true, false], [true.type]).result
