"""What pointers and their metadata become in the LLVM dialect.

    !ptr.ptr<#ptr.generic_space>                                       ->  !llvm.ptr
    !ptr.ptr_metadata<memref<?x4xf32, strided<[4, 1], offset: ?>, …>>  ->  !llvm.struct<(ptr, i64, i64)>

The metadata of a memref are the allocated pointer, and of offset, sizes and strides those that the type does not say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMPointerType, LLVMStructType, struct_of
from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, Type
from fathom.passes.to_llvm.descriptors import OFFSET, SIZES, STRIDES
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.passes.to_llvm.llvm_types import LLVMTypes

POINTER: Final = "ptr.ptr"
METADATA: Final = "ptr.ptr_metadata"
GENERIC_SPACE: Final = "ptr.generic_space"


def add_types(types: LLVMTypes) -> None:
    """Lets the converter convert the types of the dialect, and its memory space wherever it stands."""

    def convert(type: Type) -> Type | Failure | None:
        if not isinstance(type, DialectType) or type.full_name not in (POINTER, METADATA):
            return None
        (parameter,) = type.parameters
        if type.full_name == METADATA:
            struct = metadata_type(types, parameter) if isinstance(parameter, MemRefType) else None
            return struct or Failure(f"only the metadata of memrefs have an LLVM type, not '{type}'")
        space = types.address_space(parameter) if isinstance(parameter, Attribute) else None
        return LLVMPointerType(space) if space is not None else Failure(f"the memory space of '{type}' has no number")

    types.conversions.insert(0, convert)
    types.spaces.insert(0, generic_space)


def generic_space(space: Attribute) -> int | None:
    """The number of the generic memory space."""
    return 0 if isinstance(space, DialectAttr) and space.full_name == GENERIC_SPACE else None


def metadata_type(types: LLVMTypes, type: MemRefType) -> LLVMStructType | None:
    """The struct of a memref's metadata, for one that has a rank and strides."""
    pointer, numbers = types.pointer(type), numbers_of(type)
    if pointer is None or numbers is None:
        return None
    return struct_of(pointer, *[types.index for _, number in numbers if number == DYNAMIC])


def numbers_of(type: MemRefType) -> list[tuple[tuple[int, ...], int]] | None:
    """The numbers of a descriptor, each with its position and its value (`DYNAMIC` where the type does not say it):
    offset, sizes, strides. None of a memref that has none."""
    layout = strides_and_offset(type) if type.shape is not None else None
    if layout is None:
        return None
    strides, offset = layout
    numbers: list[tuple[tuple[int, ...], int]] = [((OFFSET,), offset)]
    numbers += [((SIZES, i), size) for i, size in enumerate(type.ranked_shape)]
    return numbers + [((STRIDES, i), stride) for i, stride in enumerate(strides)]
