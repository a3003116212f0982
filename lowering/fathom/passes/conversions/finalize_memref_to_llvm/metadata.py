"""Lowers the questions about a memref: its sizes, rank, strides, address.

Source of the rules: *LLVM IR Target*, "Ranked MemRef Types" and "Unranked MemRef Types".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR
from fathom.ir.types import DYNAMIC, MemRefType
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
    field_type,
    get,
    put,
    put_constant,
    scalar_descriptor,
    start,
)
from fathom.passes.to_llvm.patterns import Lower
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import memref as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


@named("DimOpLowering")
def dim(
    op: ops.DimOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A size: a constant if the type says it, else a field; by an index that is not constant, an element of the array
    of sizes, which goes to the stack for that.

        %0 = memref.dim %m, %c1 : memref<4x?xf32>   ->   %0 = llvm.extractvalue %m[3, 1]

        %0 = memref.dim %m, %i : memref<4x?xf32>
    ->
        %p = llvm.alloca 1 x !llvm.array<2 x i64>,  llvm.store %m[3], %p
        %0 = llvm.load (llvm.getelementptr %p[0, %i] : !llvm.array<2 x i64>)
    """
    type = memref_type(op.source)
    descriptor, index = operands
    if type.shape is None:
        rewriter.replace(op, [_unranked_dim(descriptor, index, type, rewriter, types)])
        return None
    number = integer_constant(op.index)
    if number is not None and 0 <= number < len(type.shape):
        extent = type.shape[number]
        if extent == DYNAMIC:
            rewriter.replace(op, [get(rewriter, descriptor, SIZES, number)])
        else:
            rewriter.replace(op, [emit.index_constant(rewriter, types.index, extent)])
        return None
    one = emit.index_constant(rewriter, types.index, 1)
    array = field_type(descriptor.type, SIZES)
    sizes = emit.extract(rewriter, descriptor, array, SIZES)
    pointer = emit.alloca(rewriter, array, one)
    emit.store(rewriter, sizes, pointer)
    address = emit.gep(rewriter, pointer, array, 0, index)
    rewriter.replace(op, [emit.load(rewriter, types.index, address)])
    return None


def _unranked_dim(
    descriptor: Value, index: Value, type: MemRefType, rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Value:
    """The number at `index + 1` after the offset, in the ranked descriptor in memory."""
    ranked = get(rewriter, descriptor, RANKED_DESCRIPTOR)
    pointer = types.pointer(type) or PTR
    offset = emit.gep(rewriter, ranked, scalar_descriptor(types), 0, OFFSET, type=pointer)
    position = emit.add(rewriter, emit.index_constant(rewriter, types.index, 1), index)
    return emit.load(rewriter, types.index, emit.gep(rewriter, offset, types.index, position))


@named("RankOpLowering")
def rank(
    op: ops.RankOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """%0 = memref.rank %m : memref<*xf32>   ->   %0 = llvm.extractvalue %m[0];  of a ranked one, a constant."""
    (descriptor,) = operands
    type = memref_type(op.memref)
    if type.shape is None:
        rewriter.replace(op, [get(rewriter, descriptor, RANK)])
    else:
        rewriter.replace(op, [emit.index_constant(rewriter, types.index, len(type.shape))])
    return None


@named("ExtractStridedMetadataOpLowering")
def extract_strided_metadata(
    op: ops.ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The fields of the descriptor, and a descriptor without sizes of the same buffer.

        %b, %o, %n, %s = memref.extract_strided_metadata %m : memref<?xf32> -> memref<f32>, index, index, index
    ->
        %b = { %m[0], %m[1], 0 },   %o = %m[2],   %n = %m[3, 0],   %s = %m[4, 0]
    """
    (descriptor,) = operands
    base_type, dims = memref_type(op.base_buffer), range(len(memref_type(op.source).ranked_shape))
    if len(op.results) != 2 + 2 * len(dims):
        return Failure("the memref has another rank than the results say")
    allocated = get(rewriter, descriptor, ALLOCATED)
    aligned = get(rewriter, descriptor, ALIGNED)
    base = put(rewriter, start(rewriter, types, base_type), allocated, ALLOCATED)
    base = put(rewriter, base, aligned, ALIGNED)
    base = put_constant(rewriter, types, base, 0, OFFSET)
    fields = [base, get(rewriter, descriptor, OFFSET)]
    fields += [get(rewriter, descriptor, SIZES, i) for i in dims]
    fields += [get(rewriter, descriptor, STRIDES, i) for i in dims]
    rewriter.replace(op, fields)
    return None


@named("ConvertExtractAlignedPointerAsIndex")
def extract_aligned_pointer(
    op: ops.ExtractAlignedPointerAsIndexOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> Failure | None:
    """The aligned pointer as a number.

        %0 = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
    ->
        %0 = llvm.ptrtoint %m[1] : !llvm.ptr to i64
    """
    (descriptor,) = operands
    type = memref_type(op.source)
    if type.shape is None:
        pointer = types.pointer(type) or PTR
        ranked = get(rewriter, descriptor, RANKED_DESCRIPTOR)
        aligned = emit.load(rewriter, pointer, emit.gep(rewriter, ranked, pointer, 1))
    else:
        aligned = get(rewriter, descriptor, ALIGNED)
    rewriter.replace(op, [emit.cast(rewriter, "llvm.ptrtoint", aligned, types.index)])
    return None


METADATA: Final[dict[str, Lower]] = {
    "memref.dim": dim,
    "memref.extract_aligned_pointer_as_index": extract_aligned_pointer,
    "memref.extract_strided_metadata": extract_strided_metadata,
    "memref.rank": rank,
}
