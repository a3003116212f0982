"""Indices in what several passes make, besides `fathom.passes.arithmetic`: numbers that are values or constants, and
the properties of arithmetic on them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.arith.attributes import OVERFLOW, OVERFLOW_FLAGS
from fathom.ir.affine import AffineSymbol, add, multiply
from fathom.irdl.constraints import enum_attribute
from fathom.passes.arithmetic import constant

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

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


def value_of(rewriter: Rewriter, number: Value | int) -> Value:
    """A value as it is; a constant for a number."""
    return constant(rewriter, number) if isinstance(number, int) else number


def values_of(rewriter: Rewriter, numbers: Iterable[Value | int]) -> list[Value]:
    return [value_of(rewriter, number) for number in numbers]


_MOVED: Final = add(AffineSymbol(0), multiply(AffineSymbol(1), AffineSymbol(2)))
"""`offset + index * stride`."""


def through_slice(
    rewriter: Rewriter,
    offsets: Sequence[Value | int],
    strides: Sequence[Value | int],
    dropped: Collection[int],
    indices: Sequence[Value | int],
) -> list[Value]:
    """Where something lies that has these indices in a slice, which does not have the dimensions that are dropped."""
    rest = iter(indices)
    full = [0 if dim in dropped else next(rest) for dim in range(len(offsets))]
    numbers = zip(offsets, full, strides, strict=True)
    return [value_of(rewriter, apply_folded(rewriter, _MOVED, number)) for number in numbers]
