"""Short forms for constant indices, of which several passes make what they lower.

Each inserts at the rewriter's insertion point and returns the result; for arithmetic, see `fathom.passes.arithmetic`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import OVERFLOW, OVERFLOW_FLAGS
from fathom.ir.attributes import index_attr
from fathom.ir.types import INDEX
from fathom.irdl.constraints import enum_attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

NO_SIGNED_WRAP: Final[Mapping[str, Attribute]] = MappingProxyType(
    {"overflowFlags": enum_attribute(OVERFLOW, OVERFLOW_FLAGS["nsw"])}
)
NO_WRAP: Final[Mapping[str, Attribute]] = MappingProxyType(
    {"overflowFlags": enum_attribute(OVERFLOW, OVERFLOW_FLAGS["nsw"] | OVERFLOW_FLAGS["nuw"])}
)
"""Properties of an operation that does not overflow."""


def constant(rewriter: Rewriter, value: int) -> Value:
    """`arith.constant 4 : index`."""
    return rewriter.create("arith.constant", (), [INDEX], {"value": index_attr(value)}).result


def value_of(rewriter: Rewriter, number: Value | int) -> Value:
    """A value as it is; a constant for a number."""
    return constant(rewriter, number) if isinstance(number, int) else number


def values_of(rewriter: Rewriter, numbers: Iterable[Value | int]) -> list[Value]:
    return [value_of(rewriter, number) for number in numbers]
