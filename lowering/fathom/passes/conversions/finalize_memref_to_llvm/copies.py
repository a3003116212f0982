"""Lowers copies between buffers. Source of the rules: *'memref' Dialect*, `memref.copy`, and mlir-opt 22."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, struct_of
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import MemRefType
from fathom.passes.conversions.finalize_memref_to_llvm.access import memref_type
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import ALIGNED, OFFSET, SIZES, element, get, layout_of, pack_unranked
from fathom.passes.to_llvm.runtime_functions import declare
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.memref import CopyOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

MEMREF_COPY: Final = "memrefCopy"
"""The function of the run-time library that copies strided buffers: element size, two unranked memrefs by pointer."""


@named("MemRefCopyOpLowering")
def copy(
    op: CopyOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Contiguous buffers are copied at once; others by the run-time library.

        memref.copy %m, %n : memref<?xf32> to memref<?xf32>
    ->
        "llvm.intr.memcpy"(%n[1] + %n[2], %m[1] + %m[2], 1 * %m[3, 0] * sizeof f32) <{isVolatile = false}>
    """
    source, target = memref_type(op.source), memref_type(op.target)
    if is_contiguous(source) and is_contiguous(target):
        _copy_bytes(source, target, operands, rewriter, types)
    else:
        failure = _call_library(op, source, target, operands, rewriter, types)
        if failure is not None:
            return failure
    rewriter.erase(op)
    return None


def is_contiguous(type: MemRefType) -> bool:
    """Whether all elements follow each other: by an identity layout, or by static strides that say so (and one element
    at least)."""
    if type.shape is None:
        return False
    if type.layout is None:
        return True
    if not type.has_static_shape or 0 in type.shape:
        return False
    dims = list(zip(type.shape, layout_of(type)[0], strict=True))
    expected = 1
    while dims and dims[-1][1] == expected:
        expected *= dims.pop()[0]
    # What remains may only be dimensions of one element, whose strides do not matter.
    return all(extent == 1 for extent, _ in dims)


def _copy_bytes(
    source: MemRefType,
    target: MemRefType,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> None:
    count = emit.index_constant(rewriter, types.index, 1)
    for i in range(len(source.ranked_shape)):
        count = emit.mul(rewriter, count, get(rewriter, operands[0], SIZES, i))
    size = emit.mul(rewriter, count, emit.size_of(rewriter, types.index, element(types, source)))
    first, second = (
        emit.gep(rewriter, get(rewriter, memref, ALIGNED), element(types, type), get(rewriter, memref, OFFSET))
        for memref, type in zip(operands, (source, target), strict=True)
    )
    emit.memcpy(rewriter, second, first, size)


def _call_library(
    op: Operation,
    source: MemRefType,
    target: MemRefType,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> Failure | None:
    """%s = llvm.intr.stacksave; both descriptors, unranked, go to the stack; llvm.call @memrefCopy; stackrestore %s."""
    stack = rewriter.create("llvm.intr.stacksave", (), [PTR]).result
    both = zip(operands, (source, target), strict=True)
    unranked = [_unranked(memref, type, rewriter, types) for memref, type in both]
    one = emit.index_constant(rewriter, types.index, 1)
    pointers: list[Value] = []
    for memref in unranked:
        pointer = emit.alloca(rewriter, struct_of(types.index, PTR), one)
        emit.store(rewriter, memref, pointer)
        pointers.append(pointer)
    size = emit.size_of(rewriter, types.index, element(types, source))
    function = declare(rewriter, op, MEMREF_COPY, [types.index, PTR, PTR])
    if isinstance(function, Failure):
        return function
    emit.call(rewriter, function, [size, *pointers])
    rewriter.create("llvm.intr.stackrestore", [stack])
    return None


def _unranked(memref: Value, type: MemRefType, rewriter: ConversionRewriter, types: LLVMTypeConverter) -> Value:
    if type.shape is None:
        return memref
    rank = emit.constant(rewriter, types.index, IntegerAttr(len(type.shape), types.index))
    return pack_unranked(rewriter, types, [rank, emit.spill(rewriter, memref)])
