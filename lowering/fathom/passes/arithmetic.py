"""Short forms for the operations of the arith dialect that several passes make.

Each inserts at the rewriter's insertion point and returns the result; nothing is folded. All take scalars, vectors and
tensors, and what they make has the shape of what they get.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.arith.attributes import CMPF_PREDICATES, CMPI_PREDICATES
from fathom.dialects.arith.elements import constant as attribute_of
from fathom.dialects.arith.elements import truth_type
from fathom.ir.attributes import i64_attr
from fathom.ir.types import INDEX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter


def constant(rewriter: Rewriter, value: int, type: Type = INDEX) -> Value:
    """`arith.constant` of a number, in every element of a vector or tensor; a float is given by its bits. Raises
    TypeError for a type that has none."""
    attribute = attribute_of(value, type)
    if attribute is None:
        raise TypeError(f"there is no constant of type {type}")
    return rewriter.constant(attribute, type)


def binary(
    rewriter: Rewriter, name: str, lhs: Value, rhs: Value, properties: Mapping[str, Attribute] | None = None
) -> Value:
    """`arith.NAME` of two values, whose type the result has."""
    return rewriter.create(f"arith.{name}", [lhs, rhs], [lhs.type], properties).result


def compare(rewriter: Rewriter, predicate: str, lhs: Value, rhs: Value) -> Value:
    """`arith.cmpi`; the predicate by its keyword."""
    return _compare(rewriter, "arith.cmpi", CMPI_PREDICATES[predicate], lhs, rhs)


def compare_floats(rewriter: Rewriter, predicate: str, lhs: Value, rhs: Value) -> Value:
    """`arith.cmpf`; the predicate by its keyword."""
    return _compare(rewriter, "arith.cmpf", CMPF_PREDICATES[predicate], lhs, rhs)


def _compare(rewriter: Rewriter, name: str, predicate: int, lhs: Value, rhs: Value) -> Value:
    return rewriter.create(name, [lhs, rhs], [truth_type(lhs.type)], {"predicate": i64_attr(predicate)}).result


def select(rewriter: Rewriter, condition: Value, true: Value, false: Value) -> Value:
    """`arith.select`."""
    return rewriter.create("arith.select", [condition, true, false], [true.type]).result
