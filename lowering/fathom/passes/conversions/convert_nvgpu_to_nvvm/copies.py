"""Copies that go on while threads compute: of elements to shared memory, and of whole tensors that a map describes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import PTR, LLVMFunctionType, LLVMPointerType
from fathom.dialects.nvvm import case
from fathom.ir.attributes import UNIT, i32_attr
from fathom.ir.dialect_values import DialectType
from fathom.ir.traversal import closest
from fathom.ir.types import BF16, F16, F32, F64, I32, I64, IntegerType, MemRefType, Type, element_width
from fathom.irdl.build import segment_sizes
from fathom.ops.builtin import ModuleOp
from fathom.ops.llvm import FuncOp
from fathom.passes.conversions.convert_nvgpu_to_nvvm.barriers import barrier, truncated
from fathom.passes.conversions.convert_nvgpu_to_nvvm.holdings import LOW_BITS, described
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.calling_convention import passed
from fathom.passes.to_llvm.declarations import declared
from fathom.passes.to_llvm.descriptors import element_address
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ops import nvgpu as ops
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_GLOBAL, _CLUSTER = LLVMPointerType(1), LLVMPointerType(7)


# ---- elements


@named("NVGPUAsyncCopyLowering")
def copy(
    op: ops.DeviceAsyncCopyOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """What is read of the source, if less than is written, is counted in bytes. Nothing reads the token.

        %t = nvgpu.device_async_copy %s[%i], %d[%j], 4, %n {bypassL1} : memref<…xf32> to memref<…xf32, 3>
    ->
        nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %bytes
    """
    given = groups(op, operands)
    target, source = op.dst.type, op.src.type
    if not isinstance(target, MemRefType) or not isinstance(source, MemRefType):
        return Failure("it copies no memory with a rank")
    to = element_address(rewriter, types, given["dst"][0], target, given["dstIndices"])
    start = element_address(rewriter, types, given["src"][0], source, given["srcIndices"])
    start = emit.cast(rewriter, "llvm.addrspacecast", start, _GLOBAL)
    size = element_width(target) * op.dstElements.value // 8
    read = list(given["srcElements"])
    if read:
        three, width = (emit.i32(rewriter, number) for number in (3, element_width(source)))
        bits = emit.mul(rewriter, width, emit.cast(rewriter, "llvm.trunc", read[0], I32))
        read = [rewriter.create("llvm.lshr", [bits, three], [I32]).result]
    properties: dict[str, Attribute] = {
        "size": i32_attr(size),
        "modifier": case("LoadCacheModifierKindAttr", "cg" if op.bypassL1 is not None and size == 16 else "ca"),
    }
    rewriter.create("nvvm.cp.async.shared.global", [to, start, *read], (), properties)
    rewriter.replace(op, [_token(rewriter)])
    return None


def _token(rewriter: ConversionRewriter) -> Value:
    return emit.i32(rewriter, 0)


@named("NVGPUAsyncCreateGroupLowering")
def create_group(
    op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    rewriter.create("nvvm.cp.async.commit.group")
    rewriter.replace(op, [_token(rewriter)])


@named("NVGPUAsyncWaitLowering")
def wait(
    op: ops.DeviceAsyncWaitOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> None:
    """Of no number of groups it waits for all."""
    number = op.numGroups.value if op.numGroups is not None else 0
    rewriter.create("nvvm.cp.async.wait.group", (), (), {"n": i32_attr(number)})
    rewriter.erase(op)


# ---- tensors


@named("NVGPUTmaAsyncLoadOpLowering")
def load(
    op: ops.TmaAsyncLoadOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """The memory that is copied to is that of a cluster."""
    given, target = groups(op, operands), op.dst.type
    if not isinstance(target, MemRefType):
        return Failure("it copies to no memory with a rank")
    to = element_address(rewriter, types, given["dst"][0], target, ())
    to = emit.cast(rewriter, "llvm.addrspacecast", to, _CLUSTER)
    pointer = barrier(op, given, rewriter, types)
    at = [truncated(rewriter, number) for number in given["coordinates"]]
    mask, predicate = given["multicastMask"], given["predicate"]
    properties = {"operandSegmentSizes": segment_sizes(1, 1, len(at), 1, 0, len(mask), 0, len(predicate))}
    taken = [to, *given["tensorMapDescriptor"], *at, pointer, *mask, *predicate]
    rewriter.replace_with(op, "nvvm.cp.async.bulk.tensor.shared.cluster.global", taken, (), properties)
    return None


@named("NVGPUTmaAsyncStoreOpLowering")
def store(
    op: ops.TmaAsyncStoreOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    given, source = groups(op, operands), op.src.type
    if not isinstance(source, MemRefType):
        return Failure("it copies no memory with a rank")
    start = element_address(rewriter, types, given["src"][0], source, ())
    at, predicate = [truncated(rewriter, number) for number in given["coordinates"]], given["predicate"]
    properties = {"operandSegmentSizes": segment_sizes(1, 1, len(at), 0, len(predicate))}
    taken = [*given["tensorMapDescriptor"], start, *at, *predicate]
    rewriter.replace_with(op, "nvvm.cp.async.bulk.tensor.global.shared.cta", taken, (), properties)
    return None


@named("NVGPUTmaPrefetchOpLowering")
def prefetch(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
    rewriter.replace_with(op, "nvvm.prefetch", operands, (), {"tensormap": UNIT})


_DESCRIPTOR: Final = 128
"""The bytes of a map in memory."""


@named("NVGPUTmaFenceOpLowering")
def fence(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter) -> None:
    size = emit.i32(rewriter, _DESCRIPTOR)
    properties = {"scope": case("MemScopeKindAttr", "sys")}
    rewriter.replace_with(op, "nvvm.fence.proxy.acquire", [*operands, size], (), properties)


_KINDS: Final[dict[Type, int]] = {
    IntegerType(8, "u"): 0,
    IntegerType(16, "u"): 1,
    IntegerType(32, "u"): 2,
    I32: 3,
    IntegerType(64, "u"): 4,
    I64: 5,
    F16: 6,
    F32: 7,
    F64: 8,
    BF16: 9,
}
"""The types of elements, as CUDA's driver numbers them."""
_DIMENSIONS: Final = 5
_CREATE: Final = "mgpuTensorMapEncodeTiledMemref"


@named("NVGPUTmaCreateDescriptorOpLowering")
def create_descriptor(
    op: ops.TmaCreateDescriptorOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """A function of MLIR's runtime makes it. The sizes of a box are handed on in memory."""
    map, tensor = op.tensorMap.type, op.tensor.type
    kind = _KINDS.get(tensor.element) if isinstance(tensor, MemRefType) else None
    if kind is None or not isinstance(map, DialectType):
        return Failure("CUDA has no name for the type of the elements")
    element = _number(rewriter, kind)
    rank, memory, *_ = passed(operands, op.operands, rewriter, bare=False)
    box = emit.alloca(rewriter, I64, _number(rewriter, _DIMENSIONS))
    for index, size in enumerate(groups(op, operands)["boxDimensions"]):
        emit.store(rewriter, size, emit.gep(rewriter, box, PTR, _number(rewriter, index)))
    ways = [map.parameter(name) for name in ("interleave", "swizzle", "l2promo", "oob")]
    said = [_number(rewriter, way if isinstance(way, int) else 0) for way in ways]
    arguments = [rank, memory, element, *said, box]
    callee = _declared(rewriter, op, LLVMFunctionType(PTR, tuple(value.type for value in arguments)))
    rewriter.replace(op, [emit.call(rewriter, callee, arguments, [PTR]).result])
    return None


def _declared(rewriter: ConversionRewriter, op: Operation, type: LLVMFunctionType) -> str:
    """The name of the function, which is declared at the end of the module unless it is there."""
    module = closest(op, ModuleOp)
    assert module is not None
    if not isinstance(rewriter.symbols_in(module).get(_CREATE), FuncOp):
        with rewriter.elsewhere():
            rewriter.set_insertion_to_end(module.regions[0].entry)
            declared(rewriter, _CREATE, type)
    return _CREATE


def _number(rewriter: ConversionRewriter, value: int) -> Value:
    """`llvm.mlir.constant(5 : i32) : i64`."""
    return emit.constant(rewriter, I64, i32_attr(value))


# ---- descriptors of matrices

_LAYOUTS: Final = ((1, 0), (32, 3), (64, 2), (128, 1))
"""For each way to swizzle, how many bytes it takes together, and its number in a descriptor."""
_SWIZZLE, _BASE_OFFSET, _STRIDE, _LEADING, _ADDRESS = 62, 49, 32, 16, 0


@named("NVGPUGenerateWarpgroupDescriptorLowering")
def describe(
    op: ops.WarpgroupGenerateDescriptorOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
) -> Failure | None:
    """Fields of a number: how it is swizzled, an offset of 0, the stride, the leading dimension, 14 bits of address."""
    map, type = op.tensorMap.type, op.tensor.type
    swizzle = map.parameter("swizzle") if isinstance(map, DialectType) else None
    if not isinstance(type, MemRefType) or not isinstance(swizzle, int):
        return Failure("it is of no memory with a rank")
    layout, number = _LAYOUTS[swizzle]
    rows = described(map).ranked_shape[0]

    def shifted(kind: str, value: Value, by: int) -> Value:
        return rewriter.create(f"llvm.{kind}", [value, emit.i64(rewriter, by)], [I64]).result

    stride = emit.i64(rewriter, (layout << 3) >> LOW_BITS)
    leading = emit.i64(rewriter, (rows * layout) >> LOW_BITS)
    start = element_address(rewriter, types, operands[0], type, ())
    address = emit.cast(rewriter, "llvm.ptrtoint", start, I64)
    address = shifted("lshr", shifted("shl", address, 46), 50)
    result = emit.i64(rewriter, 0)
    for value, bit in (
        (number, _SWIZZLE),
        (0, _BASE_OFFSET),
        (stride, _STRIDE),
        (leading, _LEADING),
        (address, _ADDRESS),
    ):
        field = emit.i64(rewriter, value) if isinstance(value, int) else value
        result = rewriter.create("llvm.or", [result, shifted("shl", field, bit)], [I64]).result
    rewriter.replace(op, [result])
    return None


LOWERINGS: Final[dict[str, Lower]] = {
    "nvgpu.tma.async.load": load,
    "nvgpu.tma.async.store": store,
    "nvgpu.tma.create.descriptor": create_descriptor,
    "nvgpu.tma.prefetch.descriptor": prefetch,
    "nvgpu.tma.fence.descriptor": fence,
    "nvgpu.warpgroup.generate.descriptor": describe,
    "nvgpu.device_async_copy": copy,
    "nvgpu.device_async_create_group": create_group,
    "nvgpu.device_async_wait": wait,
}
