"""Launches of kernels: their operands get types of the LLVM dialect, and their token becomes a stream."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from fathom.dialects.gpu.launch import SIZES
from fathom.dialects.llvm.types import is_compatible
from fathom.ir.types import FloatType, IntegerType, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.passes.conversions.gpu_to_llvm.runtime import NOT_LLVM, STREAM_CREATE, handle
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.calling_convention import passed
from fathom.passes.to_llvm.patterns import Lower, groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.gpu import LaunchFuncOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def launch_of(*, bare: bool, with_sizes: bool) -> Lower:
    """
        %t = gpu.launch_func async [%s] @m::@k blocks in (…) threads in (…) args(%a : memref<4xf32>)
    becomes
        gpu.launch_func <%s : !llvm.ptr> @m::@k blocks in (…) threads in (…) : i64 args(%a[0] : !llvm.ptr, …)
    with bare pointers, and with the size in bytes behind each, if the kernels take them so.
    """

    @named("LegalizeLaunchFuncOpPattern")
    def lower(
        op: LaunchFuncOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
    ) -> Failure | None:
        if not all(is_compatible(operand.type) for operand in operands):
            return NOT_LLVM
        given = groups(op, operands)
        streams, is_async = given["asyncDependencies"], op.asyncToken is not None
        if len(streams) > 1:
            return Failure("Cannot convert with more than one async dependency.")
        if streams and not is_async:
            return Failure("Cannot convert non-async op with async dependencies.")
        if is_async and not streams:
            streams = [handle(rewriter, STREAM_CREATE, [])]
        by_pointer = bare or types.options.use_bare_ptr_memref_call_conv
        arguments = passed(given["kernelOperands"], op.kernelOperands, rewriter, bare=by_pointer)
        if with_sizes:
            sized = _with_sizes(op, arguments, rewriter, types)
            if isinstance(sized, Failure):
                return sized
            arguments = sized
        shared = given["dynamicSharedMemorySize"]
        sizes = [value for name in SIZES for value in given[name]]
        counts = [0, *(len(given[name]) for name in SIZES), len(shared), len(arguments), len(streams)]
        properties = {"kernel": op.kernel, "operandSegmentSizes": segment_sizes(*counts)}
        rewriter.create("gpu.launch_func", [*sizes, *shared, *arguments, *streams], (), properties)
        rewriter.replace(op, streams if is_async else [])
        return None

    return lower


def _with_sizes(
    op: LaunchFuncOp, arguments: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> list[Value] | Failure:
    """Each argument, and how many bytes the memref has that it stands for."""
    if len(arguments) != len(op.kernelOperands):
        return Failure("Cannot add sizes to arguments with one-to-many LLVM IR expansion.")
    result: list[Value] = []
    for argument, original in zip(arguments, op.kernelOperands, strict=True):
        type = original.type
        if not isinstance(type, MemRefType):
            return Failure("Operand to launch op is not a memref.")
        if not type.has_static_shape or not isinstance(type.element, (FloatType, IntegerType)):
            return Failure(
                "Operand to launch op is not a memref with a static shape and an integer or float element type."
            )
        if type.element.width % 8:
            return Failure("Operand to launch op is not a memref with a byte-aligned element type.")
        size = type.element.width // 8 * prod(type.ranked_shape)
        result += (argument, emit.index_constant(rewriter, types.index, size))
    return result
