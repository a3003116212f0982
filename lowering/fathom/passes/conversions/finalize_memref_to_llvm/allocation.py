"""Lowers the allocation and release of buffers. Source of the rules: *LLVM IR Target*, "Memory Allocation"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.type_layout import layout_around, power_of_two
from fathom.dialects.llvm.types import PTR
from fathom.ir.types import DYNAMIC, FloatType, IndexType, IntegerType, MemRefType, Type
from fathom.passes.conversions.finalize_memref_to_llvm.access import memref_type
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import (
    ALLOCATED,
    RANKED_DESCRIPTOR,
    element,
    from_sizes,
    get,
)
from fathom.passes.to_llvm.patterns import integer
from fathom.passes.to_llvm.runtime_functions import declare
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.memref import DeallocOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

GENERIC: Final = {
    "malloc": "_mlir_memref_to_llvm_alloc",
    "aligned_alloc": "_mlir_memref_to_llvm_aligned_alloc",
    "free": "_mlir_memref_to_llvm_free",
}
"""The names that `use-generic-functions` calls instead, for a run-time library that brings its own allocator."""

SMALLEST_ALIGNMENT: Final = 16
"""In bytes, what `aligned_alloc` is asked for at least."""


def runtime_name(types: LLVMTypeConverter, name: str) -> str:
    """The function of the runtime for an allocation, by the option that names those of MLIR or of C."""
    return GENERIC[name] if types.options.use_generic_functions else name


def sizes_of(
    rewriter: ConversionRewriter, types: LLVMTypeConverter, type: MemRefType, dynamic: Sequence[Value]
) -> tuple[list[Value], list[Value], Value]:
    """The sizes and row-major strides of a new buffer, and how many elements it has.

    A stride that is the size of the next dimension reuses that value, one that is known becomes a constant, and any
    other is multiplied.
    """
    following = iter(dynamic)
    shape = type.ranked_shape
    sizes = [
        next(following) if extent == DYNAMIC else emit.index_constant(rewriter, types.index, extent) for extent in shape
    ]
    strides: list[Value] = []
    known = 1
    running = emit.index_constant(rewriter, types.index, 1)
    for extent, size in zip(reversed(shape), reversed(sizes), strict=True):
        strides.append(running)
        first = known == 1
        known = DYNAMIC if DYNAMIC in (known, extent) else known * extent
        if first:
            running = size
        elif known == DYNAMIC:
            running = emit.mul(rewriter, running, size)
        else:
            running = emit.index_constant(rewriter, types.index, known)
    return sizes, strides[::-1], running


def bytes_of(rewriter: ConversionRewriter, types: LLVMTypeConverter, type: MemRefType, count: Value) -> Value:
    """The bytes that `count` elements take: the address of the element after them in a buffer at null."""
    pointer = emit.gep(rewriter, emit.null(rewriter, PTR), element(types, type), count)
    return emit.cast(rewriter, "llvm.ptrtoint", pointer, types.index)


def new_buffer_type(op: Operation, types: LLVMTypeConverter) -> MemRefType | Failure:
    """The type of the buffer, if it is one that is contiguous."""
    type = memref_type(op.result)
    if type.layout is not None:
        return Failure(f"the layout {type.layout} is not the identity; allocate '{type}' without one and view it")
    if types.convert(type) is None:
        return Failure(f"'{type}' has no descriptor")
    return type


def round_up(rewriter: ConversionRewriter, value: Value, alignment: Value) -> Value:
    """The next multiple of `alignment`."""
    one = emit.index_constant(rewriter, value.type, 1)
    bumped = emit.add(rewriter, value, emit.sub(rewriter, alignment, one))
    return emit.sub(rewriter, bumped, emit.urem(rewriter, bumped, alignment))


def in_space_of(rewriter: ConversionRewriter, types: LLVMTypeConverter, pointer: Value, type: MemRefType) -> Value:
    """The pointer in the address space of the memref."""
    wanted = types.pointer(type)
    if wanted is None or wanted == pointer.type:
        return pointer
    return emit.cast(rewriter, "llvm.addrspacecast", pointer, wanted)


@named("AllocOpLowering")
def alloc(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A call of `malloc`. For an alignment it asks for that much more, and rounds the address up.

        %0 = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    ->
        %size = llvm.ptrtoint (llvm.getelementptr null[%n] : f32)
        %p = llvm.call @malloc(%size + 64) : (i64) -> !llvm.ptr
        %aligned = llvm.inttoptr (round %p up to 64)
        %0 = { %p, %aligned, 0, [%n], [1] }
    """
    type = new_buffer_type(op, types)
    if isinstance(type, Failure):
        return type
    sizes, strides, count = sizes_of(rewriter, types, type, operands)
    size = bytes_of(rewriter, types, type, count)
    alignment: Value | None = None
    given = integer(op, "alignment")
    if given is not None:
        alignment = emit.index_constant(rewriter, types.index, given)
    elif not is_scalar(type):
        # malloc aligns for the largest scalar; anything larger is aligned to its own size.
        alignment = emit.size_of(rewriter, types.index, element(types, type))
    if alignment is not None:
        size = emit.add(rewriter, size, alignment)
    function = declare(rewriter, op, runtime_name(types, "malloc"), [types.index], PTR)
    if isinstance(function, Failure):
        return function
    allocated = emit.call(rewriter, function, [size], [PTR]).result
    pointer = in_space_of(rewriter, types, allocated, type)
    aligned = pointer
    if alignment is not None:
        address = emit.cast(rewriter, "llvm.ptrtoint", pointer, types.index)
        aligned = emit.cast(rewriter, "llvm.inttoptr", round_up(rewriter, address, alignment), pointer.type)
    rewriter.replace(op, [from_sizes(rewriter, types, type, (pointer, aligned), sizes, strides)])
    return None


def is_scalar(type: MemRefType) -> bool:
    """Whether the elements are signless integers, indices or floats."""
    match type.element:
        case IntegerType(_, signedness):
            return signedness == ""
        case other:
            return isinstance(other, (IndexType, FloatType))


@named("AlignedAllocOpLowering")
def aligned_alloc(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A call of `aligned_alloc`, whose size must be a multiple of the alignment.

        %0 = memref.alloc(%n) : memref<?xf32>
    ->
        %p = llvm.call @aligned_alloc(16, round %size up to 16) : (i64, i64) -> !llvm.ptr
        %0 = { %p, %p, 0, [%n], [1] }
    """
    type = new_buffer_type(op, types)
    if isinstance(type, Failure):
        return type
    sizes, strides, count = sizes_of(rewriter, types, type, operands)
    size = bytes_of(rewriter, types, type, count)
    given = integer(op, "alignment")
    element_bytes = element_size(op, type.element, types)
    if element_bytes is None:
        return Failure(f"no data layout says how large '{type.element}' is")
    number = given if given is not None else max(SMALLEST_ALIGNMENT, power_of_two(element_bytes))
    alignment = emit.index_constant(rewriter, types.index, number)
    divisor = element_bytes
    for extent in type.ranked_shape:
        divisor *= 1 if extent == DYNAMIC else extent
    if divisor % number:
        size = round_up(rewriter, size, alignment)
    function = declare(rewriter, op, runtime_name(types, "aligned_alloc"), [types.index, types.index], PTR)
    if isinstance(function, Failure):
        return function
    allocated = emit.call(rewriter, function, [alignment, size], [PTR]).result
    pointer = in_space_of(rewriter, types, allocated, type)
    rewriter.replace(op, [from_sizes(rewriter, types, type, (pointer, pointer), sizes, strides)])
    return None


def element_size(op: Operation, type: Type, types: LLVMTypeConverter) -> int | None:
    """The bytes of an element by the data layout around the operation, if it has a size; of a memref, those of its
    descriptor."""
    layout = layout_around(op.parent_op)
    if not isinstance(type, MemRefType):
        try:
            return layout.size(type)
        except TypeError:
            return None
    pointer = -(-types.data_layout.pointer(types.address_space(type.space) or 0).width // 8)
    if type.shape is None:
        return layout.size(types.index) + pointer
    return 2 * pointer + (1 + 2 * len(type.shape)) * layout.size(types.index)


@named("AllocaOpLowering")
def alloca(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Room on the stack.

        %0 = memref.alloca(%n) {alignment = 16} : memref<?xf32>
    ->
        %p = llvm.alloca %n x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
        %0 = { %p, %p, 0, [%n], [1] }
    """
    type = new_buffer_type(op, types)
    if isinstance(type, Failure):
        return type
    sizes, strides, count = sizes_of(rewriter, types, type, operands)
    space = types.pointer(type) or PTR
    pointer = emit.alloca(rewriter, element(types, type), count, space, op.attribute("alignment"))
    rewriter.replace(op, [from_sizes(rewriter, types, type, (pointer, pointer), sizes, strides)])
    return None


@named("DeallocOpLowering")
def dealloc(
    op: DeallocOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A call of `free` with the pointer that `malloc` gave.

        memref.dealloc %m : memref<?xf32>
    ->
        llvm.call @free(%m[0]) : (!llvm.ptr) -> ()
    """
    type = memref_type(op.memref)
    (descriptor,) = operands
    if type.shape is not None and get_space(types, type):
        return Failure(f"'free' takes a pointer in address space 0, but '{type}' is in {type.space}")
    function = declare(rewriter, op, runtime_name(types, "free"), [PTR])
    if isinstance(function, Failure):
        return function
    if type.shape is None:
        ranked = get(rewriter, descriptor, RANKED_DESCRIPTOR)
        pointer = emit.load(rewriter, PTR, ranked)
    else:
        pointer = get(rewriter, descriptor, ALLOCATED)
    emit.call(rewriter, function, [pointer])
    rewriter.erase(op)
    return None


def get_space(types: LLVMTypeConverter, type: MemRefType) -> int:
    """The number of the address space; 0 for one that has no number."""
    return types.address_space(type.space) or 0
