"""Memory as buffers that know how long they are, and copies between global and shared memory.

    %v = amdgpu.raw_buffer_load %m[%i] : memref<64xf32>, i32 -> f32
->
    %r = rocdl.make.buffer.rsrc %pointer, %stride, %bytes, %flags : !llvm.ptr to <8>
    %v = rocdl.raw.ptr.buffer.load %r, %offset, %0, %0 : f32
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.type_layout import layout_around
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import UNIT, IntegerAttr, i32_attr
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, I16, I32, I64, FloatType, IntegerType, MemRefType, Type, VectorType, element_width
from fathom.ops import amdgpu as ops
from fathom.passes.conversions.convert_amdgpu_to_rocdl.target import (
    GFX942,
    GFX950,
    GFX1250,
    LowerFor,
    bitcast,
    count,
    refuse,
    unless,
    width,
)
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import (
    ALIGNED,
    ALLOCATED,
    OFFSET,
    SIZES,
    STRIDES,
    buffer,
    element_address,
    get,
    put,
)
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_NOT_STRIDED: Final = "Can't lower non-stride-offset memrefs"
_ALL_BYTES: Final = 2**45 - 1


# ---- what describes a buffer


def _bytes(
    rewriter: ConversionRewriter, descriptor: Value, type: MemRefType, size: int, chipset: Chipset, *, checked: bool
) -> Value:
    """How many bytes a buffer has, up to the last element that an index can reach."""
    if chipset >= GFX1250 and not checked:
        return emit.i64(rewriter, _ALL_BYTES)
    layout, shape = strides_and_offset(type), type.ranked_shape
    strides = layout[0] if layout is not None else ()
    if type.has_static_shape and DYNAMIC not in strides:
        reached = [extent * stride for extent, stride in zip(shape, strides, strict=True)]
        return emit.i64(rewriter, max([*reached, 0 if shape else 1]) * size)
    most: Value | None = None
    for dimension in range(len(shape)):
        extent = get(rewriter, descriptor, SIZES, dimension)
        stride = get(rewriter, descriptor, STRIDES, dimension)
        reach = emit.mul(rewriter, extent, stride)
        most = reach if most is None else rewriter.create("llvm.intr.umax", [most, reach], [reach.type]).result
    assert most is not None
    return emit.mul(rewriter, _unsigned(rewriter, most, I64), emit.i64(rewriter, size))


def _unsigned(rewriter: ConversionRewriter, value: Value, type: IntegerType) -> Value:
    """A number without a sign as one of another width."""
    if value.type == type:
        return value
    return emit.cast(rewriter, "llvm.trunc" if width(value.type) > type.width else "llvm.zext", value, type)


def _resource(
    rewriter: ConversionRewriter,
    base: Value,
    size: Value,
    chipset: Chipset,
    *,
    checked: bool,
    swizzle: Value | None = None,
    space: int = 8,
) -> Value:
    """What describes a buffer. Its format is that of numbers of 32 bits, which these instructions do not look at; what
    is out of bounds newer chipsets check as they are told. A stride of the cache says how lines are swizzled."""
    if chipset.major == 9 and chipset >= GFX942 and swizzle is not None:
        wide = emit.cast(rewriter, "llvm.zext", swizzle, I16)
        bit = emit.constant(rewriter, I16, IntegerAttr(1 << 14, I16))
        stride = rewriter.create("llvm.or", [wide, bit], [I16], {"isDisjoint": UNIT}).result
    else:
        stride = emit.constant(rewriter, I16, IntegerAttr(0, I16))
    flags = 0
    if chipset < GFX1250:
        flags = 7 << 12 | 4 << 15
        if chipset.major >= 10:
            flags |= 1 << 24 | (3 if checked else 2) << 28
    operands = [base, stride, size, emit.i32(rewriter, flags)]
    return rewriter.create("rocdl.make.buffer.rsrc", operands, [LLVMPointerType(space)]).result


@named("FatRawBufferCastLowering")
def fat_cast(
    op: ops.FatRawBufferCastOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """A memref whose pointers know its bounds."""
    type, converted, given = op.source.type, types.convert(op.result.type), groups(op, operands)
    assert isinstance(type, MemRefType)
    if converted is None:
        return Failure(f"no rule converts '{op.result.type}' to the LLVM dialect")
    if strides_and_offset(type) is None:
        return refuse(op, _NOT_STRIDED)
    (descriptor,), checked = given["source"], bool(op.boundsCheck.value)
    size = layout_around(op).bits(type.element) // 8
    length = (given["validBytes"] or [None])[0]
    if length is None:
        length = _bytes(rewriter, descriptor, type, size, chipset, checked=checked)
    if op.resetOffset is not None:
        base = buffer(rewriter, types, descriptor, type)
        offset = emit.index_constant(rewriter, types.index, 0)
    else:
        base = get(rewriter, descriptor, ALIGNED)
        offset = get(rewriter, descriptor, OFFSET)
    positions = (SIZES, STRIDES) if type.ranked_shape else ()
    arrays = [get(rewriter, descriptor, position) for position in positions]
    swizzle = (given["cacheSwizzleStride"] or [None])[0]
    pointer = _resource(rewriter, base, length, chipset, checked=checked, swizzle=swizzle, space=7)
    result = emit.poison(rewriter, converted)
    for position, value in zip(
        (ALLOCATED, ALIGNED, OFFSET, *positions), (pointer, pointer, offset, *arrays), strict=True
    ):
        result = put(rewriter, result, value, position)
    rewriter.replace(op, [result])
    return None


# ---- access

_MOST_BITS: Final = 128
_PREFIX: Final = "amdgpu.raw_buffer_"


@named("RawBufferOpLowering")
def access(
    op: ops.RawBufferLoadOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """A load, a store, or an atomic one. Short vectors are numbers of so many bits, longer ones of words."""
    given = groups(op, operands)
    (descriptor,), type = given["memref"], op.memref.type
    assert isinstance(type, MemRefType)
    if chipset.major < 9:
        return refuse(op, "raw buffer ops require GCN or higher")
    stored = operands[: op.operands.index(op.memref)]
    wanted = stored[0].type if stored else op.results[0].type
    converted, held = types.convert(wanted), _held(op, wanted, types, len(stored) > 1)
    size = layout_around(op).bits(type.element) // 8
    step = emit.i32(rewriter, size)
    if converted is None or isinstance(held, Failure):
        return held if isinstance(held, Failure) else Failure(f"no rule converts '{wanted}' to the LLVM dialect")
    arguments = [value if held == converted else bitcast(rewriter, value, held) for value in stored]
    layout = strides_and_offset(type)
    if layout is None:
        return refuse(op, _NOT_STRIDED)
    checked = bool(op.boundsCheck.value)
    base = buffer(rewriter, types, descriptor, type)
    length = _bytes(rewriter, descriptor, type, size, chipset, checked=checked)
    arguments.append(_resource(rewriter, base, length, chipset, checked=checked))
    index = _linear(rewriter, descriptor, given["indices"], layout[0])
    if op.indexOffset is not None and op.indexOffset.value > 0:
        index = emit.add(rewriter, index, emit.i32(rewriter, op.indexOffset.value))
    arguments.append(emit.mul(rewriter, index, step))
    scalar = given["sgprOffset"][0] if given["sgprOffset"] else emit.i32(rewriter, 0)
    arguments += [emit.mul(rewriter, scalar, step), emit.i32(rewriter, 0)]
    name = f"rocdl.raw.ptr.buffer.{op.name.removeprefix(_PREFIX).replace('_', '.')}"
    made = rewriter.create(name, arguments, [held] * len(op.results))
    rewriter.replace(op, [unless(rewriter, made.results[0], converted)] if made.results else [])
    return None


def _held(op: Operation, wanted: Type, types: LLVMTypeConverter, is_compared: bool) -> Type | Failure:
    """The type that an instruction moves."""
    held = types.convert(wanted)
    if is_compared and isinstance(wanted, FloatType):
        held = IntegerType(wanted.width)
    if isinstance(wanted, VectorType):
        length, bits = count(wanted), layout_around(op).bits(wanted.element)
        total = length * bits
        if total > _MOST_BITS:
            return refuse(
                op,
                f"Total width of loads or stores must be no more than {_MOST_BITS} bits, but we call for {total} bits. "
                "This should've been caught in validation",
            )
        is_packed = isinstance(op, ops.RawBufferAtomicFaddOp) and length == 2
        if not is_packed and bits < I32.width:
            if total > I32.width and total % I32.width:
                return refuse(op, "Load or store of more than 32-bits that doesn't fit into words. Can't happen\n")
            held = VectorType((total // 32,), I32) if total > I32.width else IntegerType(total)
    if isinstance(held, VectorType) and count(held) == 1:
        return held.element
    return held or Failure(f"no rule converts '{wanted}' to the LLVM dialect")


def _linear(rewriter: ConversionRewriter, descriptor: Value, indices: Sequence[Value], strides: Sequence[int]) -> Value:
    """The number of an element, in 32 bits."""
    total: Value | None = None
    for dimension, (index, stride) in enumerate(zip(indices, strides, strict=False)):
        term = index
        if stride == DYNAMIC:
            step = _unsigned(rewriter, get(rewriter, descriptor, STRIDES, dimension), I32)
            term = emit.mul(rewriter, index, step)
        elif stride != 1:
            term = emit.mul(rewriter, index, emit.i32(rewriter, stride))
        total = term if total is None else emit.add(rewriter, total, term)
    return emit.i32(rewriter, 0) if total is None else total


# ---- copies


@named("GatherToLDSOpLowering")
def gather(
    op: ops.GatherToLdsOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Each thread copies an element from global to shared memory."""
    if chipset.major not in (9, 10):
        return refuse(op, "pre-gfx9 and post-gfx10 not supported")
    moved = op.transferType.type
    bits = count(moved) * element_width(moved) if isinstance(moved, VectorType) else width(moved)
    if bits // 8 not in (1, 2, 4, 12, 16):
        return refuse(op, "chipset unsupported element size")
    if chipset != GFX950 and bits // 8 > 4:
        message = "Gather to LDS instructions with 12-byte and 16-byte load widths are only supported on gfx950"
        return refuse(op, message)
    given, source, target = groups(op, operands), op.src.type, op.dst.type
    assert isinstance(source, MemRefType) and isinstance(target, MemRefType)
    start = element_address(rewriter, types, given["src"][0], source, given["srcIndices"])
    to = element_address(rewriter, types, given["dst"][0], target, given["dstIndices"])
    properties = {"size": i32_attr(bits // 8), "offset": i32_attr(0), "aux": i32_attr(0)}
    rewriter.replace_with(op, "rocdl.load.to.lds", [start, to], (), properties)
    return None


_TRANSPOSED: Final = {4: "tr4.b64", 6: "tr6.b96", 8: "tr8.b64", 16: "tr16.b64"}


@named("TransposeLoadOpLowering")
def transpose(
    op: ops.TransposeLoadOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Words are loaded, but for elements of 16 bits."""
    if chipset != GFX950:
        return refuse(op, "Non-gfx950 chipset not supported")
    source, result, given = op.src.type, op.results[0].type, groups(op, operands)
    assert isinstance(source, MemRefType) and isinstance(result, VectorType)
    if element_width(source) < 8:
        message = f"Expect source memref to have at least 8 bits element size, got {element_width(source)}"
        return refuse(op, message)
    start = element_address(rewriter, types, given["src"][0], source, given["srcIndices"])
    bits, converted = element_width(result), types.convert(result)
    if bits not in _TRANSPOSED or converted is None:
        return refuse(op, "Unsupported element size for transpose load")
    name = f"rocdl.ds.read.{_TRANSPOSED[bits]}"
    if bits == I16.width:
        rewriter.replace_with(op, name, [start], [converted])
        return None
    words = rewriter.create(name, [start], [VectorType((count(result) * bits // 32,), I32)]).result
    rewriter.replace(op, [bitcast(rewriter, words, converted)])
    return None


_ACCESSES: Final = "load store atomic_fadd atomic_fmax atomic_smax atomic_umin atomic_cmpswap".split()

LOWERINGS: Final[dict[str, LowerFor]] = {
    "amdgpu.fat_raw_buffer_cast": fat_cast,
    **{f"{_PREFIX}{kind}": access for kind in _ACCESSES},
    "amdgpu.gather_to_lds": gather,
    "amdgpu.transpose_load": transpose,
}
