"""What the checks of amdgpu's operations look at: numbers, elements and memory spaces."""

from __future__ import annotations

from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import FloatType, MemRefType, ShapedType, Type
from fathom.irdl.cases import word_of


def element(type: Type) -> Type:
    return type.element if isinstance(type, ShapedType) else type


def small_float(type: Type, *widths: int) -> bool:
    return isinstance(type, FloatType) and type.width in widths


# ---- memory spaces


def _space(type: Type) -> Attribute | None:
    return type.space if isinstance(type, MemRefType) else None


def _is_space(space: Attribute | None, dialect: str, name: str) -> bool:
    named = isinstance(space, DialectAttr) and space.full_name == f"{dialect}.address_space"
    return named and word_of(space) == name


def is_global(type: Type) -> bool:
    space = _space(type)
    if isinstance(space, IntegerAttr):
        return space.value in (0, 1)
    return space is None or _is_space(space, "gpu", "global")


def is_workgroup(type: Type) -> bool:
    space = _space(type)
    if isinstance(space, IntegerAttr):
        return space.value == 3
    return _is_space(space, "gpu", "workgroup")


def is_fat_buffer(type: Type) -> bool:
    space = _space(type)
    if isinstance(space, IntegerAttr):
        return space.value == 7
    return _is_space(space, "amdgpu", "fat_raw_buffer")
