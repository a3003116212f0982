"""What the checks of amdgpu's operations look at: numbers, elements and memory spaces."""

from __future__ import annotations

from math import prod

from fathom.ir.attributes import IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import FloatType, MemRefType, ShapedType, Type, VectorType
from fathom.irdl.cases import word_of


def element(type: Type) -> Type:
    return type.element if isinstance(type, ShapedType) else type


def length(type: Type) -> int:
    return prod(type.ranked_shape) if isinstance(type, VectorType) else 1


def small_float(type: Type, *widths: int) -> bool:
    return isinstance(type, FloatType) and type.width in widths


# ---- memory spaces


def _lies_in(type: Type, numbers: tuple[int, ...], dialect: str, name: str) -> bool:
    """Whether memory is in a space that a number or an attribute of a dialect names."""
    space = type.space if isinstance(type, MemRefType) else None
    if isinstance(space, IntegerAttr):
        return space.value in numbers
    named = isinstance(space, DialectAttr) and space.full_name == f"{dialect}.address_space"
    return word_of(space) == name if named else space is None and 0 in numbers


def is_global(type: Type) -> bool:
    return _lies_in(type, (0, 1), "gpu", "global")


def is_workgroup(type: Type) -> bool:
    return _lies_in(type, (3,), "gpu", "workgroup")


def is_fat_buffer(type: Type) -> bool:
    return _lies_in(type, (7,), "amdgpu", "fat_raw_buffer")
