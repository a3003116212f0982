"""Lowers what reads and writes elements. Source of the rules: *LLVM IR Target*, "Ranked MemRef Types"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import TRUE, Attribute, i32_attr
from fathom.ir.types import MemRefType
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import element, element_address
from fathom.passes.to_llvm.patterns import Lower
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import memref as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def memref_type(value: Value) -> MemRefType:
    """The type of a value before the lowering, which must be a memref."""
    type = value.type
    assert isinstance(type, MemRefType)
    return type


def access_of(op: ops.LoadOp | ops.StoreOp) -> dict[str, Attribute]:
    """The attributes of a load or a store that say how memory is accessed."""
    return emit.access(nontemporal=op.nontemporal == TRUE, alignment=op.alignment)


@named("LoadOpLowering")
def load(
    op: ops.LoadOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A load from the address of the element.

        %0 = memref.load %m[%i, %j] : memref<4x?xf32>
    ->
        %a = llvm.add (llvm.mul %i, %m[4, 0]), %j overflow<nsw, nuw>
        %p = llvm.getelementptr inbounds|nuw %m[1][%a] : f32
        %0 = llvm.load %p : !llvm.ptr -> f32
    """
    descriptor, *indices = operands
    type = memref_type(op.memref)
    pointer = element_address(rewriter, types, descriptor, type, indices, in_bounds=True)
    rewriter.replace(op, [emit.load(rewriter, element(types, type), pointer, access_of(op))])
    return None


@named("StoreOpLowering")
def store(
    op: ops.StoreOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A store to the address of the element.

        memref.store %v, %m[%i] : memref<4xf32>
    ->
        %p = llvm.getelementptr inbounds|nuw %m[1][%i] : f32
        llvm.store %v, %p : f32, !llvm.ptr
    """
    value, descriptor, *indices = operands
    pointer = element_address(rewriter, types, descriptor, memref_type(op.memref), indices, in_bounds=True)
    emit.store(rewriter, value, pointer, access_of(op))
    rewriter.erase(op)
    return None


@named("PrefetchOpLowering")
def prefetch(
    op: ops.PrefetchOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A hint to the cache; the address may lie outside the buffer.

        memref.prefetch %m[%i], read, locality<3>, data : memref<4xf32>
    ->
        "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
    """
    descriptor, *indices = operands
    pointer = element_address(rewriter, types, descriptor, memref_type(op.memref), indices)
    properties: dict[str, Attribute] = {
        "cache": i32_attr(op.isDataCache.value),
        "hint": i32_attr(op.localityHint.value),
        "rw": i32_attr(op.isWrite.value),
    }
    rewriter.create("llvm.intr.prefetch", [pointer], (), properties)
    rewriter.erase(op)
    return None


@named("AssumeAlignmentOpLowering")
def assume_alignment(
    op: ops.AssumeAlignmentOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A promise about the address of the first element.

        %0 = memref.assume_alignment %m, 16 : memref<4xf32>
    ->
        llvm.intr.assume %true ["align"(%m[1], %16 : !llvm.ptr, i64)] : i1,   %m for %0
    """
    (descriptor,) = operands
    pointer = element_address(rewriter, types, descriptor, memref_type(op.memref), [])
    condition = emit.true(rewriter)
    alignment = emit.index_constant(rewriter, types.index, op.alignment.value)
    emit.assume(rewriter, condition, "align", [pointer, alignment])
    rewriter.replace(op, [descriptor])
    return None


@named("DistinctObjectsOpLowering")
def distinct_objects(
    op: ops.DistinctObjectsOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A promise that buffers do not overlap.

        %0, %1 = memref.distinct_objects %m, %n : …
    ->
        llvm.intr.assume %true ["separate_storage"(%m[1], %n[1] : !llvm.ptr, !llvm.ptr)] : i1,   %m, %n for %0, %1

    Of one buffer alone nothing is promised.
    """
    if len(operands) < 2:
        rewriter.replace(op, list(operands))
        return None
    pointers = [
        element_address(rewriter, types, descriptor, memref_type(operand), [])
        for descriptor, operand in zip(operands, op.operands, strict=True)
    ]
    condition = emit.true(rewriter)
    for i, first in enumerate(pointers):
        for second in pointers[i + 1 :]:
            emit.assume(rewriter, condition, "separate_storage", [first, second])
    rewriter.replace(op, list(operands))
    return None


ACCESSES: Final[dict[str, Lower]] = {
    "memref.assume_alignment": assume_alignment,
    "memref.distinct_objects": distinct_objects,
    "memref.load": load,
    "memref.prefetch": prefetch,
    "memref.store": store,
}
