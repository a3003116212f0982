"""What lowers each operation of the ptr dialect. Source of the rules: *'ptr' Dialect*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.types import DYNAMIC, I8, MemRefType
from fathom.passes.conversions.convert_ptr_to_llvm.metadata import metadata_type, numbers_of
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import ALIGNED, ALLOCATED, get, put, put_constant, start
from fathom.passes.to_llvm.patterns import integer
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.ptr import GetMetadataOp, PtrAddOp, ToPtrOp, TypeOffsetOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

FLAGS: Final = (0, 2, 4, 3)
"""The flags of a getelementptr for `none`, `nusw`, `nuw` and `inbounds`."""


@named("FromPtrOpConversion")
def from_ptr(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The descriptor of a memref from its aligned pointer and its metadata.

        %m = ptr.from_ptr %p metadata %d : !ptr.ptr<#s> -> memref<?xf32, #s>
    ->
        %m = { %d[0], %p, 0, [%d[1]], [1] }
    """
    type = op.result.type
    numbers = numbers_of(type) if isinstance(type, MemRefType) else None
    if not isinstance(type, MemRefType) or numbers is None:
        return Failure("only memrefs that have a rank and strides are made of pointers")
    if len(operands) < 2:
        return Failure("without metadata nothing says how large the memref is")
    pointer, metadata = operands
    descriptor = start(rewriter, types, type)
    descriptor = put(rewriter, descriptor, get(rewriter, metadata, 0), ALLOCATED)
    descriptor = put(rewriter, descriptor, pointer, ALIGNED)
    field = 1
    for position, number in numbers:
        if number == DYNAMIC:
            descriptor = put(rewriter, descriptor, get(rewriter, metadata, field), *position)
            field += 1
        else:
            descriptor = put_constant(rewriter, types, descriptor, number, *position)
    rewriter.replace(op, [descriptor])
    return None


@named("GetMetadataOpConversion")
def get_metadata(
    op: GetMetadataOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The allocated pointer and the numbers that the type does not say.

    %d = ptr.get_metadata %m : memref<?xf32, #s>   ->   %d = { %m[0], %m[3, 0] }
    """
    type = op.ptr.type
    struct = metadata_type(types, type) if isinstance(type, MemRefType) else None
    if not isinstance(type, MemRefType) or struct is None:
        return Failure("only memrefs that have a rank and strides have metadata")
    (descriptor,) = operands
    result = rewriter.create("llvm.mlir.undef", (), [struct]).result
    result = put(rewriter, result, get(rewriter, descriptor, ALLOCATED), 0)
    dynamic = [position for position, number in numbers_of(type) or () if number == DYNAMIC]
    for field, position in enumerate(dynamic, 1):
        result = put(rewriter, result, get(rewriter, descriptor, *position), field)
    rewriter.replace(op, [result])
    return None


@named("PtrAddOpConversion")
def ptr_add(
    op: PtrAddOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Bytes are added to an address.

    %q = ptr.ptr_add inbounds %p, %n   ->   %q = llvm.getelementptr inbounds %p[%n] : (!llvm.ptr, i64) -> …, i8
    """
    base, offset = operands
    if not isinstance(base.type, LLVMPointerType):
        return Failure(f"'{op.base.type}' is not one pointer")
    flags = FLAGS[integer(op, "flags") or 0]
    rewriter.replace(op, [emit.gep(rewriter, base, I8, offset, flags=flags)])
    return None


@named("ToPtrOpConversion")
def to_ptr(
    op: ToPtrOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """%p = ptr.to_ptr %m : memref<…> -> !ptr.ptr<…>   ->   %p = llvm.extractvalue %m[1]"""
    (descriptor,), type = operands, op.ptr.type
    if not isinstance(type, MemRefType) or type.shape is None:
        return Failure(f"'{type}' is no memref with a rank")
    rewriter.replace(op, [get(rewriter, descriptor, ALIGNED)])
    return None


@named("TypeOffsetOpConversion")
def type_offset(
    op: TypeOffsetOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The size of a type, as the address of what follows one at null.

        %n = ptr.type_offset f32 : index
    ->
        %n = llvm.ptrtoint (llvm.getelementptr null[1] : f32) : !llvm.ptr to i64
    """
    element, result = types.convert(op.elementType.type), types.convert(op.result.type)
    if element is None or result is None:
        return Failure(f"{op.elementType} has no LLVM type")
    rewriter.replace(op, [emit.size_of(rewriter, result, element)])
    return None


LOWERINGS: Final[dict[str, Lower]] = {
    "ptr.from_ptr": from_ptr,
    "ptr.get_metadata": get_metadata,
    "ptr.ptr_add": ptr_add,
    "ptr.to_ptr": to_ptr,
    "ptr.type_offset": type_offset,
}
