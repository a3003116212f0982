"""Memory of GPUs: allocated, freed, copied, filled; and memory of the host that GPUs see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, LLVMPointerType, is_compatible
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import I8, I16, I32, FloatType, IntegerType, MemRefType
from fathom.passes.conversions.finalize_memref_to_llvm.allocation import bytes_of, sizes_of
from fathom.passes.conversions.gpu_to_llvm.runtime import (
    NOT_LLVM,
    allocated,
    called,
    element_count,
    handle,
    is_plain,
    stream_of,
)
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.calling_convention import passed
from fathom.passes.to_llvm.descriptors import ALIGNED, from_sizes, get
from fathom.passes.to_llvm.patterns import Lower, groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import gpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_NOT_PLAIN: Final = Failure("its memref has no descriptor, or a layout that is not the identity")


@named("ConvertAllocOpToGpuRuntimeCallPattern")
def alloc(
    op: ops.AllocOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """
        %m, %t = gpu.alloc async [%s] (%n) : memref<?xf32>
    becomes
        %p = llvm.call @mgpuMemAlloc(%bytes, %s, 0),  %m = { %p, %p, 0, [%n], [1] }
    Memory that the host sees too is allocated at once.
    """
    type = op.memref.type
    if not all(is_compatible(operand.type) for operand in operands):
        return NOT_LLVM
    if not isinstance(type, MemRefType) or not is_plain(type, types):
        return _NOT_PLAIN
    is_shared = op.hostShared is not None
    if is_shared and op.asyncToken is not None:
        return Failure("Host Shared allocation cannot be done async")
    if not is_shared and isinstance(stream := stream_of(op, operands), Failure):
        return stream
    given = groups(op, operands)
    sizes, strides, count = sizes_of(rewriter, types, type, given["dynamicSizes"])
    size = bytes_of(rewriter, types, type, count)
    nothing = emit.null(rewriter, PTR)
    stream = next(iter(given["asyncDependencies"]), nothing)
    shared = emit.constant(rewriter, I8, IntegerAttr(int(is_shared), I8))
    pointer = handle(rewriter, "mgpuMemAlloc", [size, stream, shared])
    descriptor = from_sizes(rewriter, types, type, (pointer, pointer), sizes, strides)
    rewriter.replace(op, [descriptor, *([stream] if op.asyncToken is not None else [])])
    return None


@named("ConvertDeallocOpToGpuRuntimeCallPattern")
def dealloc(
    op: ops.DeallocOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.dealloc async [%s] %m` becomes `llvm.call @mgpuMemFree(%m[0], %s)`."""
    stream = stream_of(op, operands)
    if isinstance(stream, Failure):
        return stream
    called(rewriter, "mgpuMemFree", [allocated(rewriter, operands[-1]), stream])
    rewriter.replace(op, [stream])
    return None


def _generic(rewriter: ConversionRewriter, descriptor: Value) -> Value:
    """The aligned pointer, in no address space of its own."""
    pointer = get(rewriter, descriptor, ALIGNED)
    is_generic = isinstance(pointer.type, LLVMPointerType) and pointer.type.address_space == 0
    return pointer if is_generic else emit.cast(rewriter, "llvm.addrspacecast", pointer, PTR)


@named("ConvertMemcpyOpToGpuRuntimeCallPattern")
def memcpy(
    op: ops.MemcpyOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.memcpy async [%s] %to, %from` becomes `llvm.call @mgpuMemcpy(%to[1], %from[1], %bytes, %s)`."""
    type = op.src.type
    if not isinstance(type, MemRefType) or not is_plain(type, types):
        return _NOT_PLAIN
    stream = stream_of(op, operands)
    if isinstance(stream, Failure):
        return stream
    target, source = operands[-2:]
    count = element_count(rewriter, types, type, source)
    element = types.convert(type.element)
    assert element is not None, "a memref with a descriptor has elements"
    end = emit.gep(rewriter, emit.null(rewriter, types.pointer(type) or PTR), element, count)
    size = emit.cast(rewriter, "llvm.ptrtoint", end, types.index)
    from_ = _generic(rewriter, source)
    called(rewriter, "mgpuMemcpy", [_generic(rewriter, target), from_, size, stream])
    rewriter.replace(op, [stream])
    return None


@named("ConvertMemsetOpToGpuRuntimeCallPattern")
def memset(
    op: ops.MemsetOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """`gpu.memset async [%s] %m, %x : memref<4xf32>, f32` becomes `llvm.call @mgpuMemset32(%m[1], %bits, 4, %s)`."""
    type = op.dst.type
    if not isinstance(type, MemRefType) or not is_plain(type, types):
        return _NOT_PLAIN
    stream = stream_of(op, operands)
    if isinstance(stream, Failure):
        return stream
    target, value = operands[-2:]
    width = value.type.width if isinstance(value.type, (FloatType, IntegerType)) else 0
    if width not in (16, 32):
        return Failure("value must be a 16 or 32 bit int or float")
    count = element_count(rewriter, types, type, target)
    bits = emit.cast(rewriter, "llvm.bitcast", value, I32 if width == 32 else I16)
    called(rewriter, f"mgpuMemset{width}", [_generic(rewriter, target), bits, count, stream])
    rewriter.replace(op, [stream])
    return None


def _registered(name: str, pattern: str) -> Lower:
    """`gpu.host_register %m : memref<*xf32>` becomes a call with its rank, its descriptor and the size of elements."""

    @named(pattern)
    def lower(
        op: ops.HostRegisterOp | ops.HostUnregisterOp,
        operands: Sequence[Value],
        rewriter: ConversionRewriter,
        types: LLVMTypeConverter,
    ) -> Failure | None:
        if not all(is_compatible(operand.type) for operand in operands):
            return NOT_LLVM
        type = op.value.type
        element = types.convert(type.element) if isinstance(type, MemRefType) else None
        if element is None:
            return _NOT_PLAIN
        size = emit.size_of(rewriter, types.index, element)
        bare = types.options.use_bare_ptr_memref_call_conv
        called(rewriter, name, [*passed(operands, op.operands, rewriter, bare=bare), size])
        rewriter.erase(op)
        return None

    return lower


@named("ConvertSetDefaultDeviceOpToGpuRuntimeCallPattern")
def set_default_device(
    op: ops.SetDefaultDeviceOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    """`gpu.set_default_device %n` becomes `llvm.call @mgpuSetDefaultDevice(%n)`."""
    called(rewriter, "mgpuSetDefaultDevice", operands)
    rewriter.erase(op)


MEMORY: Final[Mapping[str, Lower]] = {
    "gpu.alloc": alloc,
    "gpu.dealloc": dealloc,
    "gpu.host_register": _registered("mgpuMemHostRegisterMemRef", "ConvertHostRegisterOpToGpuRuntimeCallPattern"),
    "gpu.host_unregister": _registered("mgpuMemHostUnregisterMemRef", "ConvertHostUnregisterOpToGpuRuntimeCallPattern"),
    "gpu.memcpy": memcpy,
    "gpu.memset": memset,
    "gpu.set_default_device": set_default_device,
}
