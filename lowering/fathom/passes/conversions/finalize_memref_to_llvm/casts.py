"""Lowers what gives a buffer another type. Source of the rules: *LLVM IR Target*, "Ranked MemRef Types"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR
from fathom.ir.affine import AffineDim
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.types import DYNAMIC, I8, MemRefType
from fathom.irdl.index_lists import mixed
from fathom.passes.conversions.finalize_memref_to_llvm.access import memref_type
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import (
    ALIGNED,
    ALLOCATED,
    OFFSET,
    RANK,
    RANKED_DESCRIPTOR,
    SIZES,
    STRIDES,
    element,
    get,
    layout_of,
    pack_descriptor,
    pack_unranked,
    put,
    put_constant,
    start,
    unpack_descriptor,
    unranked_size,
)
from fathom.passes.to_llvm.patterns import Lower, groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.ops.memref import ReinterpretCastOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

POINTER_BYTES: Final = 8


def source_and_result(op: Operation) -> tuple[MemRefType, MemRefType]:
    """The types that a cast goes from and to, both memrefs."""
    source, *_ = op.operands
    return memref_type(source), memref_type(op.result)


@named("MemRefCastOpLowering")
def cast(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Between ranked types nothing happens; to an unranked one, the descriptor goes to the stack; from one, it loads.

        %0 = memref.cast %m : memref<4xf32> to memref<*xf32>
    ->
        %p = llvm.alloca 1 x !llvm.struct<(…)>,  llvm.store %m, %p
        %0 = { 1, %p }
    """
    source, result = source_and_result(op)
    (descriptor,) = operands
    struct = types.convert(result)
    if struct is None:
        return Failure(f"'{result}' has no descriptor")
    if source.shape is not None and result.shape is not None:
        if descriptor.type != struct:
            return Failure(f"the descriptors of '{source}' and '{result}' differ")
        rewriter.replace(op, [descriptor])
    elif source.shape is not None:
        pointer = emit.spill(rewriter, descriptor)
        rank = emit.index_constant(rewriter, types.index, len(source.shape))
        rewriter.replace(op, [pack_unranked(rewriter, types, [rank, pointer])])
    elif result.shape is not None:
        pointer = get(rewriter, descriptor, RANKED_DESCRIPTOR)
        rewriter.replace(op, [emit.load(rewriter, struct, pointer)])
    else:
        return Failure("a cast between unranked types changes nothing")
    return None


@named("MemorySpaceCastOpLowering")
def memory_space_cast(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The two pointers change their address space; the rest is copied.

        %0 = memref.memory_space_cast %m : memref<?xf32, 3> to memref<?xf32>
    ->
        %p = llvm.addrspacecast %m[0] : !llvm.ptr<3> to !llvm.ptr
        %q = llvm.addrspacecast %m[1] : !llvm.ptr<3> to !llvm.ptr
        %0 = { %p, %q, %m[2], %m[3], %m[4] }
    """
    source, result = source_and_result(op)
    (descriptor,) = operands
    pointer = types.pointer(result)
    old_pointer = types.pointer(source)
    if pointer is None or old_pointer is None:
        return Failure("the memory space is not a number")
    if result.shape is None:
        _copy_unranked(op, descriptor, rewriter, types, old_pointer, pointer)
        return None
    fields = unpack_descriptor(rewriter, descriptor, source)
    fields[:2] = [emit.cast(rewriter, "llvm.addrspacecast", field, pointer) for field in fields[:2]]
    rewriter.replace(op, [pack_descriptor(rewriter, types, result, fields)])
    return None


def _copy_unranked(
    op: Operation,
    descriptor: Value,
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    old_pointer: Type,
    new_pointer: Type,
) -> None:
    """Copies the ranked descriptor behind an unranked one to the stack, with other pointers."""
    rank = get(rewriter, descriptor, RANK)
    old = get(rewriter, descriptor, RANKED_DESCRIPTOR)
    result = put(rewriter, emit.poison(rewriter, descriptor.type), rank, RANK)
    type = op.result.type
    assert isinstance(type, MemRefType)
    size = unranked_size(rewriter, types, result, type)
    new = emit.alloca(rewriter, I8, size)
    result = put(rewriter, result, new, RANKED_DESCRIPTOR)
    allocated = emit.load(rewriter, old_pointer, old)
    aligned = emit.load(rewriter, old_pointer, emit.gep(rewriter, old, old_pointer, 1))
    allocated = emit.cast(rewriter, "llvm.addrspacecast", allocated, new_pointer)
    aligned = emit.cast(rewriter, "llvm.addrspacecast", aligned, new_pointer)
    emit.store(rewriter, allocated, new)
    emit.store(rewriter, aligned, emit.gep(rewriter, new, new_pointer, 1))
    rest = emit.gep(rewriter, old, old_pointer, 2)
    place = emit.gep(rewriter, new, new_pointer, 2)
    pointers = emit.index_constant(rewriter, types.index, 2 * POINTER_BYTES)
    emit.memcpy(rewriter, place, rest, emit.sub(rewriter, size, pointers))
    rewriter.replace(op, [result])


def pointers_of(
    rewriter: ConversionRewriter, types: LLVMTypeConverter, descriptor: Value, type: MemRefType
) -> tuple[Value, Value]:
    """The allocated and the aligned pointer, also of an unranked memref."""
    if type.shape is not None:
        return get(rewriter, descriptor, ALLOCATED), get(rewriter, descriptor, ALIGNED)
    return _pointers_at(rewriter, get(rewriter, descriptor, RANKED_DESCRIPTOR), types.pointer(type) or PTR)


def pointers_and_offset(
    rewriter: ConversionRewriter, types: LLVMTypeConverter, descriptor: Value, type: MemRefType
) -> tuple[Value, Value, Value]:
    """The same, and the offset."""
    if type.shape is not None:
        return *pointers_of(rewriter, types, descriptor, type), get(rewriter, descriptor, OFFSET)
    pointer = types.pointer(type) or PTR
    ranked = get(rewriter, descriptor, RANKED_DESCRIPTOR)
    allocated, aligned = _pointers_at(rewriter, ranked, pointer)
    return allocated, aligned, emit.load(rewriter, types.index, emit.gep(rewriter, ranked, pointer, 2))


def _pointers_at(rewriter: ConversionRewriter, ranked: Value, pointer: Type) -> tuple[Value, Value]:
    """Both pointers, of this type, of the ranked descriptor in memory."""
    allocated = emit.load(rewriter, pointer, ranked)
    return allocated, emit.load(rewriter, pointer, emit.gep(rewriter, ranked, pointer, 1))


@named("MemRefReinterpretCastOpLowering")
def reinterpret_cast(
    op: ReinterpretCastOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The pointers stay; offset, sizes and strides are those given.

        %0 = memref.reinterpret_cast %m to offset: [%o], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, …>
    ->
        %0 = { %m[0], %m[1], %o, [4], [1] }
    """
    source, result = source_and_result(op)
    parts = groups(op, operands)
    descriptor = start(rewriter, types, result)
    allocated, aligned = pointers_of(rewriter, types, parts["source"][0], source)
    descriptor = put(rewriter, descriptor, allocated, ALLOCATED)
    descriptor = put(rewriter, descriptor, aligned, ALIGNED)

    def set(descriptor: Value, entry: int | Value, *position: int) -> Value:
        if isinstance(entry, int):
            return put_constant(rewriter, types, descriptor, entry, *position)
        return put(rewriter, descriptor, entry, *position)

    for offset in mixed(op.static_offsets, parts["offsets"]):
        descriptor = set(descriptor, offset, OFFSET)
    sizes = mixed(op.static_sizes, parts["sizes"])
    strides = mixed(op.static_strides, parts["strides"])
    for i, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        descriptor = set(descriptor, size, SIZES, i)
        descriptor = set(descriptor, stride, STRIDES, i)
    rewriter.replace(op, [descriptor])
    return None


@named("ViewOpLowering")
def view(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Bytes seen as a contiguous buffer; the shift moves the aligned pointer.

        %0 = memref.view %m[%shift][%n] : memref<2048xi8> to memref<?x4xf32>
    ->
        %p = llvm.getelementptr %m[1][%shift] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %0 = { %m[0], %p, 0, [%n, 4], [4, 1] }
    """
    source, result = source_and_result(op)
    memref, shift, *dynamic = operands
    shape, (strides, _) = result.ranked_shape, layout_of(result)
    descriptor = start(rewriter, types, result)
    descriptor = put(rewriter, descriptor, get(rewriter, memref, ALLOCATED), ALLOCATED)
    moved = emit.gep(rewriter, get(rewriter, memref, ALIGNED), element(types, source), shift)
    descriptor = put(rewriter, descriptor, moved, ALIGNED)
    descriptor = put_constant(rewriter, types, descriptor, 0, OFFSET)
    stride: Value | None = None
    inner: Value | None = None
    for i in reversed(range(len(shape))):
        if shape[i] == DYNAMIC:
            size = dynamic[shape[:i].count(DYNAMIC)]
        else:
            size = emit.index_constant(rewriter, types.index, shape[i])
        descriptor = put(rewriter, descriptor, size, SIZES, i)
        if strides[i] != DYNAMIC or inner is None:
            stride = emit.index_constant(rewriter, types.index, strides[i] if strides[i] != DYNAMIC else 1)
        else:
            stride = emit.mul(rewriter, stride, inner) if stride is not None else inner
        descriptor = put(rewriter, descriptor, stride, STRIDES, i)
        inner = size
    rewriter.replace(op, [descriptor])
    return None


@named("TransposeOpLowering")
def transpose(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Sizes and strides change places.

        %0 = memref.transpose %m (i, j) -> (j, i) : memref<8x?xf32> to memref<?x8xf32, strided<[1, ?]>>
    ->
        %0 = { %m[0], %m[1], %m[2], [%m[3, 1], %m[3, 0]], [%m[4, 1], %m[4, 0]] }
    """
    _, result = source_and_result(op)
    (descriptor,) = operands
    permutation = op.attribute("permutation")
    if not isinstance(permutation, AffineMapAttr):
        return Failure("the permutation is missing")
    if permutation.map.is_identity:
        rewriter.replace(op, [descriptor])
        return None
    turned = start(rewriter, types, result)
    for position in (ALLOCATED, ALIGNED, OFFSET):
        turned = put(rewriter, turned, get(rewriter, descriptor, position), position)
    for target, expr in enumerate(permutation.map.results):
        assert isinstance(expr, AffineDim)
        for part in (SIZES, STRIDES):
            turned = put(rewriter, turned, get(rewriter, descriptor, part, expr.position), part, target)
    rewriter.replace(op, [turned])
    return None


CASTS: Final[dict[str, Lower]] = {
    "memref.cast": cast,
    "memref.memory_space_cast": memory_space_cast,
    "memref.reinterpret_cast": reinterpret_cast,
    "memref.transpose": transpose,
    "memref.view": view,
}
