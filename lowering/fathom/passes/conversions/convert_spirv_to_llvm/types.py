"""What the types of SPIR-V become, and the layout that members of structs have where nothing moves them.

Source of the rules: *SPIR-V Dialect to LLVM Dialect conversion manual*, "Type Conversion"; *Vulkan Specification*,
"Offset and Stride Assignment".
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

from fathom.dialects.llvm.types import PTR, LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.dialects.spirv.types import (
    ArrayType,
    MatrixType,
    Member,
    PointerType,
    RuntimeArrayType,
    StructType,
    bits_of,
    is_scalar,
)
from fathom.ir.types import Type, VectorType, element_width

if TYPE_CHECKING:
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter

_SPACES: Final = {
    "Input": 1,
    "CrossWorkgroup": 1,
    "UniformConstant": 2,
    "Workgroup": 3,
    "Generic": 4,
    "DeviceOnlyINTEL": 5,
    "HostOnlyINTEL": 6,
}
"""The address spaces of OpenCL that are not the first."""


def address_space(storage: str, client: str) -> int:
    """The number of the address space of a storage class."""
    return _SPACES.get(storage, 0) if client == "OpenCL" else 0


def spirv_types(types: LLVMTypeConverter, client: str) -> Callable[[Type], Type | None]:
    """What types of SPIR-V become: arrays and structs what they are, where their layout is the natural one."""

    def array(count: int, element: Type) -> Type | None:
        converted = types.convert(element)
        return LLVMArrayType(count, converted) if converted is not None else None

    def convert(type: Type) -> Type | None:
        match type:
            case ArrayType(count, element, stride):
                return array(count, element) if stride in (0, size_in_bytes(element)) else None
            case RuntimeArrayType(element, 0):
                return array(0, element)
            case PointerType(_, storage):
                space = address_space(storage, client)
                return LLVMPointerType(space) if space else PTR
            case StructType(_, tuple() as members) if not any(member.decorations for member in members):
                has_offsets = any(member.offset is not None for member in members)
                if has_offsets and natural_layout(type) != type:
                    return None
                fields = types.convert_all(member.type for member in members)
                return LLVMStructType(tuple(fields), not has_offsets) if fields is not None else None
            case _:
                return None

    return convert


def size_in_bytes(type: Type) -> int | None:
    """How many bytes a type has, if that is known; a bool has none."""
    match type:
        case ArrayType(count, element, stride):
            size = size_in_bytes(element)
            return (size + stride) * count if size is not None else None
        case VectorType():
            size = size_in_bytes(type.element)
            return size * prod(type.ranked_shape) if size is not None else None
        case _ if is_scalar(type):
            bits = bits_of(type) or 0
            return bits // 8 if bits > 1 else None
        case _:
            return None


# ---- the natural layout


class Layout(NamedTuple):
    """A type with its offsets and strides, its size, which is not known of one that has no end, and its alignment."""

    type: Type
    size: int | None
    alignment: int


def natural_layout(type: StructType) -> StructType | None:
    """A struct with the offsets and strides that its members have in a row; None where there are none."""
    laid_out = _layout(type)
    return laid_out.type if laid_out is not None and isinstance(laid_out.type, StructType) else None


def _layout(type: Type) -> Layout | None:
    match type:
        case StructType(_, tuple() as members):
            return _layout_of_members(type, members)
        case ArrayType(count, element):
            part = _layout(element)
            if part is None or part.size is None:
                return None
            return Layout(ArrayType(count, part.type, part.size), part.size * count, part.alignment)
        case RuntimeArrayType(element):
            part = _layout(element)
            return (
                Layout(RuntimeArrayType(part.type, part.size or 0), None, part.alignment) if part is not None else None
            )
        case VectorType():
            (size,) = type.ranked_shape
            part = max(element_width(type) // 8, 1)
            return Layout(type, part * size, part * (2 if size == 2 else 4))
        case MatrixType():
            part = max(element_width(type.element) // 8, 1)
            return Layout(type, part * type.count * type.rows, part)
        case _ if is_scalar(type):
            part = max((bits_of(type) or 0) // 8, 1)
            return Layout(type, part, part)
        case _:
            return None  # A pointer has no layout.


def _layout_of_members(type: StructType, members: tuple[Member, ...]) -> Layout | None:
    if not members:
        return Layout(type, 0, 1)
    if type.name:
        return None  # It is known by its name, with the layout that it has.
    end: int | None = 0
    alignment, placed = 1, list[Member]()
    for member in members:
        part = _layout(member.type)
        if part is None or end is None:
            return None
        offset = -(-end // part.alignment) * part.alignment
        placed.append(Member(part.type, offset, member.decorations))
        end = offset + part.size if part.size is not None else None
        alignment = max(alignment, part.alignment)
    size = -(-end // alignment) * alignment if end is not None else None
    return Layout(StructType("", tuple(placed)), size, alignment)
