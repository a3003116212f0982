"""Short forms for arithmetic on indices in the arith dialect, of which several passes make what they lower.

Each inserts at the rewriter's insertion point and returns the result. Nothing is folded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import CMPI_PREDICATES, OVERFLOW, OVERFLOW_FLAGS
from fathom.ir.attributes import i64_attr, index_attr
from fathom.ir.types import I1, INDEX
from fathom.irdl.constraints import enum_attribute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

NO_SIGNED_WRAP: Final = enum_attribute(OVERFLOW, OVERFLOW_FLAGS["nsw"])
NO_WRAP: Final = enum_attribute(OVERFLOW, OVERFLOW_FLAGS["nsw"] | OVERFLOW_FLAGS["nuw"])


def constant(rewriter: Rewriter, value: int) -> Value:
    """`arith.constant 4 : index`."""
    return rewriter.create("arith.constant", (), [INDEX], {"value": index_attr(value)}).result


def value_of(rewriter: Rewriter, number: Value | int) -> Value:
    """A value as it is; a constant for a number."""
    return constant(rewriter, number) if isinstance(number, int) else number


def values_of(rewriter: Rewriter, numbers: Iterable[Value | int]) -> list[Value]:
    return [value_of(rewriter, number) for number in numbers]


def binary(rewriter: Rewriter, name: str, lhs: Value, rhs: Value, overflow: Attribute | None = None) -> Value:
    """`arith.NAME` of two values, whose type the result has; `overflow` are its flags."""
    properties = {"overflowFlags": overflow} if overflow is not None else None
    return rewriter.create(f"arith.{name}", [lhs, rhs], [lhs.type], properties).result


def compare(rewriter: Rewriter, predicate: str, lhs: Value, rhs: Value) -> Value:
    """`arith.cmpi`; the predicate by its keyword."""
    properties = {"predicate": i64_attr(CMPI_PREDICATES[predicate])}
    return rewriter.create("arith.cmpi", [lhs, rhs], [I1], properties).result


def select(rewriter: Rewriter, condition: Value, true: Value, false: Value) -> Value:
    """`arith.select`."""
    return rewriter.create("arith.select", [condition, true, false], [true.type]).result
