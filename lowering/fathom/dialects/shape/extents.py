"""Shapes as values: their extents, as attributes and types have them.

Source of the rules: *'shape' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import prod
from typing import Final

from fathom.ir.attributes import Attribute, DenseElementsAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import DYNAMIC, INDEX, TensorType, Type

MOST: Final = 10_000
"""Extents of a constant that is folded."""


def is_of(type: Type, *names: str) -> bool:
    """Whether a type is one of the dialect's of these names: `shape`, `size`, `witness` or `value_shape`."""
    return isinstance(type, DialectType) and type.dialect == "shape" and type.name in names


def is_extent_tensor(type: Type) -> bool:
    """Whether it is a tensor of extents."""
    return isinstance(type, TensorType) and type.element == INDEX and type.shape is not None and len(type.shape) == 1


def extents_of(attribute: Attribute | None) -> list[int] | None:
    """The extents of a constant shape."""
    count = prod(attribute.type.shape or ()) if isinstance(attribute, DenseElementsAttr) else MOST + 1
    if not isinstance(attribute, DenseElementsAttr) or count > MOST:
        return None
    numbers = [value for value in attribute.values if isinstance(value, int)]
    return numbers * count if attribute.is_splat else numbers


def extents(values: Sequence[int]) -> DenseElementsAttr:
    """A constant shape."""
    same = len(values) > 1 and all(value == values[0] for value in values)
    return DenseElementsAttr(tuple(values[:1] if same else values), TensorType((len(values),), INDEX))


def broadcast_shape(one: Sequence[int], other: Sequence[int]) -> list[int] | None:
    """The shape to which both can be repeated; None where there is none."""
    joined: list[int] = []
    for a, b in zip_longest(reversed(one), reversed(other), fillvalue=1):
        if a > 1 or b > 1:
            if a > 1 and b > 1 and a != b:
                return None
            joined.append(max(a, b))
        elif DYNAMIC in (a, b):
            joined.append(DYNAMIC)
        elif a != b and 1 not in (a, b):
            return None
        else:
            joined.append(b if a == 1 else a)
    return joined[::-1]


def is_broadcastable(shapes: Sequence[Sequence[int]]) -> bool:
    """Whether shapes are known to be repeated to one."""
    for column in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        others = [extent for extent in column if extent != 1]
        if len(others) > 1 and (DYNAMIC in others or any(extent != others[0] for extent in others)):
            return False
    return True
