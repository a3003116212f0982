"""Memref descriptors: the structs that memrefs become, and how their fields are read, written, packed and unpacked.

    ranked:    { allocated pointer, aligned pointer, offset, [sizes], [strides] }
    unranked:  { rank, pointer to a ranked descriptor }

The allocated pointer is what `free` wants; elements are found from the aligned one. Offset and strides count elements.
Source of the rules: *LLVM IR Target*, "Ranked MemRef Types" and "Unranked MemRef Types".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, LLVMArrayType, LLVMStructType, struct_of
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, Type
from fathom.passes.to_llvm import emit

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_types import LLVMTypes
    from fathom.rewriting.rewriter import Rewriter

ALLOCATED: Final = 0
ALIGNED: Final = 1
OFFSET: Final = 2
SIZES: Final = 3
STRIDES: Final = 4

RANK: Final = 0
RANKED_DESCRIPTOR: Final = 1


def layout_of(type: MemRefType) -> tuple[tuple[int, ...], int]:
    """The strides and the offset of a memref that was converted, and so has them."""
    layout = strides_and_offset(type)
    if layout is None:
        raise ValueError(f"{type} has no strides")
    return tuple(layout[0]), layout[1]


def field_type(struct: Type, *position: int) -> Type:
    """The type of a field of a struct, or of an element of an array in it."""
    for index in position:
        struct = struct.field(index) if isinstance(struct, LLVMStructType) else _element(struct)
    return struct


def _element(type: Type) -> Type:
    if not isinstance(type, LLVMArrayType):
        raise TypeError(f"{type} has no elements")
    return type.element


def get(rewriter: Rewriter, descriptor: Value, *position: int) -> Value:
    """A field: `ALIGNED`, or `SIZES, 0`."""
    return emit.extract(rewriter, descriptor, field_type(descriptor.type, *position), *position)


def put(rewriter: Rewriter, descriptor: Value, value: Value, *position: int) -> Value:
    """The descriptor with this field changed."""
    return emit.insert(rewriter, descriptor, value, *position)


def put_constant(rewriter: Rewriter, types: LLVMTypes, descriptor: Value, value: int, *position: int) -> Value:
    """The descriptor with this field set to a constant of the index type."""
    return put(rewriter, descriptor, emit.index_constant(rewriter, types.index, value), *position)


def start(rewriter: Rewriter, types: LLVMTypes, type: MemRefType) -> Value:
    """A descriptor for `type` of which nothing is set."""
    struct = types.convert(type)
    if struct is None:
        raise ValueError(f"{type} has no descriptor")
    return emit.poison(rewriter, struct)


def pack_descriptor(rewriter: Rewriter, types: LLVMTypes, type: MemRefType, fields: Sequence[Value]) -> Value:
    """The descriptor of the fields in the order in which they are passed: pointers, offset, all sizes, all strides;
    or, for an unranked memref, rank and pointer."""
    if type.shape is None:
        return pack_unranked(rewriter, types, fields)
    rank = len(type.shape)
    descriptor = start(rewriter, types, type)
    for position in (ALLOCATED, ALIGNED, OFFSET):
        descriptor = put(rewriter, descriptor, fields[position], position)
    for i in range(rank):
        descriptor = put(rewriter, descriptor, fields[SIZES + i], SIZES, i)
        descriptor = put(rewriter, descriptor, fields[SIZES + rank + i], STRIDES, i)
    return descriptor


def unpack_descriptor(rewriter: Rewriter, descriptor: Value, type: MemRefType) -> list[Value]:
    """The fields of a descriptor, as they are passed."""
    if type.shape is None:
        return [get(rewriter, descriptor, RANK), get(rewriter, descriptor, RANKED_DESCRIPTOR)]
    dims = range(len(type.ranked_shape))
    fields = [get(rewriter, descriptor, position) for position in (ALLOCATED, ALIGNED, OFFSET)]
    fields += [get(rewriter, descriptor, SIZES, i) for i in dims]
    return fields + [get(rewriter, descriptor, STRIDES, i) for i in dims]


def pack_unranked(rewriter: Rewriter, types: LLVMTypes, fields: Sequence[Value]) -> Value:
    """The descriptor of an unranked memref from its rank and the pointer to the ranked descriptor."""
    descriptor = emit.poison(rewriter, struct_of(types.index, PTR))
    descriptor = put(rewriter, descriptor, fields[RANK], RANK)
    return put(rewriter, descriptor, fields[RANKED_DESCRIPTOR], RANKED_DESCRIPTOR)


def descriptor_from_pointer(rewriter: Rewriter, types: LLVMTypes, type: MemRefType, pointer: Value) -> Value:
    """The descriptor of a memref whose type says all but where it is: what a bare pointer stands for."""
    strides, offset = layout_of(type)
    descriptor = put(rewriter, start(rewriter, types, type), pointer, ALLOCATED)
    descriptor = put(rewriter, descriptor, pointer, ALIGNED)
    descriptor = put_constant(rewriter, types, descriptor, offset, OFFSET)
    for i, (size, stride) in enumerate(zip(type.ranked_shape, strides, strict=True)):
        descriptor = put_constant(rewriter, types, descriptor, size, SIZES, i)
        descriptor = put_constant(rewriter, types, descriptor, stride, STRIDES, i)
    return descriptor


def from_sizes(
    rewriter: Rewriter,
    types: LLVMTypes,
    type: MemRefType,
    pointers: tuple[Value, Value],
    sizes: Sequence[Value],
    strides: Sequence[Value],
) -> Value:
    """The descriptor of a new buffer with the offset 0; `pointers` are the allocated and the aligned one."""
    descriptor = start(rewriter, types, type)
    descriptor = put(rewriter, descriptor, pointers[0], ALLOCATED)
    descriptor = put(rewriter, descriptor, pointers[1], ALIGNED)
    descriptor = put_constant(rewriter, types, descriptor, 0, OFFSET)
    for i, size in enumerate(sizes):
        descriptor = put(rewriter, descriptor, size, SIZES, i)
    for i, stride in enumerate(strides):
        descriptor = put(rewriter, descriptor, stride, STRIDES, i)
    return descriptor


def buffer(rewriter: Rewriter, types: LLVMTypes, descriptor: Value, type: MemRefType) -> Value:
    """The pointer to the first element: the aligned pointer, moved by the offset unless that is known to be 0."""
    offset = layout_of(type)[1]
    pointer = get(rewriter, descriptor, ALIGNED)
    if offset == 0:
        return pointer
    if offset == DYNAMIC:
        moved = get(rewriter, descriptor, OFFSET)
    else:
        moved = emit.index_constant(rewriter, types.index, offset)
    return emit.gep(rewriter, pointer, element(types, type), moved)


def element(types: LLVMTypes, type: MemRefType) -> Type:
    """The LLVM type of the elements."""
    converted = types.convert(type.element)
    if converted is None:
        raise ValueError(f"{type.element} has no LLVM type")
    return converted


def element_address(
    rewriter: Rewriter,
    types: LLVMTypes,
    descriptor: Value,
    type: MemRefType,
    indices: Sequence[Value],
    *,
    in_bounds: bool = False,
) -> Value:
    """The address of an element: the buffer moved by `sum(index * stride)`; a stride of 1 is not multiplied.

    Without indices it is the address of the first element.
    `in_bounds` promises that nothing overflows: `nsw`, `nuw` on the arithmetic, `inbounds|nuw` on the address.
    """
    pointer = buffer(rewriter, types, descriptor, type)
    flags = emit.NO_WRAP if in_bounds else emit.WRAPS
    position: Value | None = None
    for i, (index, stride) in enumerate(zip(indices, layout_of(type)[0], strict=False)):
        term = index
        if stride == DYNAMIC:
            term = emit.mul(rewriter, index, get(rewriter, descriptor, STRIDES, i), flags)
        elif stride != 1:
            term = emit.mul(rewriter, index, emit.index_constant(rewriter, types.index, stride), flags)
        position = term if position is None else emit.add(rewriter, position, term, flags)
    if position is None:
        return pointer
    gep_flags = emit.INBOUNDS_NUW if in_bounds else 0
    return emit.gep(rewriter, pointer, element(types, type), position, flags=gep_flags)


# Unranked descriptors.


def unranked_size(rewriter: Rewriter, types: LLVMTypes, descriptor: Value, type: MemRefType) -> Value:
    """The bytes that the ranked descriptor behind an unranked one takes: `2 * pointer + (1 + 2 * rank) * index`."""
    one = emit.index_constant(rewriter, types.index, 1)
    two = emit.index_constant(rewriter, types.index, 2)
    index_bytes = emit.index_constant(rewriter, types.index, -(-types.options.index_bitwidth // 8))
    width = types.data_layout.pointer(types.address_space(type.space) or 0).width
    pointer_bytes = emit.index_constant(rewriter, types.index, -(-width // 8))
    pointers = emit.mul(rewriter, two, pointer_bytes)
    counts = emit.mul(rewriter, two, get(rewriter, descriptor, RANK))
    numbers = emit.mul(rewriter, emit.add(rewriter, counts, one), index_bytes)
    return emit.add(rewriter, pointers, numbers)


def scalar_descriptor(types: LLVMTypes, pointer: Type = PTR) -> LLVMStructType:
    """`{ptr, ptr, index}`: what the descriptors of all ranks begin with."""
    return struct_of(pointer, pointer, types.index)
