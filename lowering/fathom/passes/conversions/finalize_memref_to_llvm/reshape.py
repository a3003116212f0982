"""Lowers `memref.reshape`, whose sizes stand in a buffer. Source of the rules: *'memref' Dialect*, `memref.reshape`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.types import PTR, struct_of
from fathom.ir.attributes import i64_attr
from fathom.ir.types import DYNAMIC, I1, I8, INDEX, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.passes.conversions.finalize_memref_to_llvm.access import memref_type
from fathom.passes.conversions.finalize_memref_to_llvm.casts import pointers_and_offset, pointers_of
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
    element_address,
    get,
    layout_of,
    put,
    put_constant,
    start,
    unranked_size,
)
from fathom.rewriting.pattern import Failure, named
from fathom.rewriting.type_converter import CAST

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.ops.memref import ReshapeOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


@named("MemRefReshapeOpLowering")
def reshape(
    op: ReshapeOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A descriptor of the same buffer, with the sizes in `%shape` and the strides that follow from them.

        %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xindex>) -> memref<?x?xf32>
    ->
        %n1 = llvm.load %shape[1],  %n0 = llvm.load %shape[0]
        %0 = { %m[0], %m[1], 0, [%n0, %n1], [1 * %n1, 1] }

    A stride that the type says is a constant.
    """
    source, shape, result = memref_type(op.source), memref_type(op.shape), memref_type(op.result)
    memref, sizes = operands
    if result.shape is None:
        _to_unranked(op, source, shape, result, operands, rewriter, types)
        return None
    descriptor = start(rewriter, types, result)
    allocated, aligned = pointers_of(rewriter, types, memref, source)
    descriptor = put(rewriter, descriptor, allocated, ALLOCATED)
    descriptor = put(rewriter, descriptor, aligned, ALIGNED)
    strides, offset = layout_of(result)
    if offset == DYNAMIC:
        return Failure(f"the offset of '{result}' is not known")
    descriptor = put_constant(rewriter, types, descriptor, offset, OFFSET)
    stride: Value | None = None
    for i in reversed(range(len(result.shape))):
        if stride is None or strides[i] != DYNAMIC:
            stride = emit.index_constant(rewriter, types.index, 1 if strides[i] == DYNAMIC else strides[i])
        size = _size(i, result.shape[i], shape, sizes, rewriter, types)
        descriptor = put(rewriter, descriptor, size, SIZES, i)
        descriptor = put(rewriter, descriptor, stride, STRIDES, i)
        stride = emit.mul(rewriter, stride, size)
    rewriter.replace(op, [descriptor])
    return None


def _size(
    i: int, extent: int, shape: MemRefType, memref: Value, rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Value:
    """The size of a dimension: a constant, or what stands in the buffer `memref` of type `shape`."""
    if extent != DYNAMIC:
        return emit.index_constant(rewriter, types.index, extent)
    position = emit.index_constant(rewriter, types.index, i)
    pointer = element_address(rewriter, types, memref, shape, [position], in_bounds=True)
    size = emit.load(rewriter, element(types, shape), pointer)
    if shape.element == INDEX:
        size = rewriter.create(CAST, [size], [INDEX]).result
    return size if size.type == types.index else rewriter.create(CAST, [size], [types.index]).result


def _to_unranked(
    op: ReshapeOp,
    source: MemRefType,
    shape: MemRefType,
    result: MemRefType,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> None:
    """The ranked descriptor is made on the stack, its sizes and strides by a loop from the last dimension to the first:

          llvm.br ^condition(rank - 1, 1)
        ^condition(%i, %stride):   llvm.cond_br %i >= 0, ^body, ^after
        ^body:                     sizes[%i] = %shape[%i];  strides[%i] = %stride
                                   llvm.br ^condition(%i - 1, %stride * %shape[%i])
        ^after:

    The pointers and the offset are those of the source.
    """
    memref, sizes_memref = operands
    count = shape.ranked_shape[0]
    index = types.index
    if count == DYNAMIC:
        rank = get(rewriter, sizes_memref, SIZES, 0)
    else:
        rank = emit.index_constant(rewriter, index, count)
    pointer_type = types.pointer(result) or PTR
    target = put(rewriter, emit.poison(rewriter, struct_of(index, PTR)), rank, RANK)
    size = unranked_size(rewriter, types, target, result)
    ranked = emit.alloca(rewriter, I8, size)
    target = put(rewriter, target, ranked, RANKED_DESCRIPTOR)
    allocated, aligned, offset = pointers_and_offset(rewriter, types, memref, source)
    emit.store(rewriter, allocated, ranked)
    emit.store(rewriter, aligned, emit.gep(rewriter, ranked, pointer_type, 1))
    emit.store(rewriter, offset, emit.gep(rewriter, ranked, pointer_type, 2))
    header = struct_of(pointer_type, pointer_type, index, index)
    sizes = emit.gep(rewriter, ranked, header, 0, SIZES)
    strides = emit.gep(rewriter, sizes, index, rank)
    entries = get(rewriter, sizes_memref, ALIGNED)
    one = emit.index_constant(rewriter, index, 1)
    last = emit.sub(rewriter, rank, one)
    _loop(op, last, one, entries, element(types, shape), sizes, strides, rewriter, types)
    rewriter.replace(op, [target])


def _loop(
    op: ReshapeOp,
    last: Value,
    one: Value,
    entries: Value,
    entry: Type,
    sizes: Value,
    strides: Value,
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> None:
    before, index = op.parent, types.index
    assert before is not None
    assert before.parent is not None
    after = rewriter.split_block(before, op)
    condition = rewriter.create_block(before.parent, after, [index, index])
    body = rewriter.create_block(before.parent, after)
    i, stride = condition.arguments
    rewriter.set_insertion_to_end(before)
    emit.branch(rewriter, condition, [last, one])
    rewriter.set_insertion_to_end(condition)
    zero = emit.index_constant(rewriter, index, 0)
    predicate = {"predicate": i64_attr(cases("ICmpPredicate")["sge"])}
    more = rewriter.create("llvm.icmp", [i, zero], [I1], predicate).result
    segments = {"operandSegmentSizes": segment_sizes(1, 0, 0)}
    rewriter.create("llvm.cond_br", [more], (), segments, successors=[body, after])
    rewriter.set_insertion_to_end(body)
    size = emit.load(rewriter, index, emit.gep(rewriter, entries, entry, i))
    emit.store(rewriter, size, emit.gep(rewriter, sizes, index, i))
    emit.store(rewriter, stride, emit.gep(rewriter, strides, index, i))
    next_stride = emit.mul(rewriter, stride, size)
    emit.branch(rewriter, condition, [emit.sub(rewriter, i, one), next_stride])
