"""Floats of 8 bits and less, which are held in words, to and from larger ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import i32_attr
from fathom.ir.types import BF16, F16, F32, I8, I16, I32, IntegerType, Type, VectorType, element_type
from fathom.irdl.build import definition_of
from fathom.passes.conversions.convert_amdgpu_to_rocdl.target import (
    BF6,
    BF8,
    FP4,
    FP6,
    FP8,
    GFX950,
    GFX1250,
    NO_FP8,
    LowerFor,
    bitcast,
    count,
    has_fp8,
    small_kind,
    truth,
)
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.patterns import groups
from fathom.rewriting.pattern import NO_MATCH, Failure, named

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops import amdgpu as ops
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_KINDS: Final[dict[Type, str]] = {
    FP8: "fp8",
    BF8: "bf8",
    FP6: "fp6",
    BF6: "bf6",
    FP4: "fp4",
    F16: "f16",
    BF16: "bf16",
    F32: "f32",
}
_NOT_SCALED: Final = Failure(
    "Scaled fp conversion instructions are not available on target architecture and their emulation is not implemented"
)
_NOT_PACKED: Final = Failure(
    "Scaled fp packed conversion instructions are not available on target architecture and their emulation is not "
    "implemented"
)
_OTHER_FP8: Final = Failure("the chipset converts no floats of this kind")
_BYTES: Final = VectorType((4,), I8)


def _kind(type: Type, chipset: Chipset) -> str | Failure:
    """What instructions call the floats of 8 bits of a type."""
    return (small_kind(element_type(type), chipset) or _OTHER_FP8) if has_fp8(chipset) else NO_FP8


def _undef(rewriter: ConversionRewriter, type: Type) -> Value:
    return rewriter.create("llvm.mlir.undef", (), [type]).result


def _selected(rewriter: ConversionRewriter, name: str, index: int) -> dict[str, Attribute]:
    """The property of an instruction that says which part of a word it is about; a half is said by a bit."""
    (prop,) = definition_of(rewriter.context, name).properties
    is_half = prop.name in ("wordSel", "srcLoHiSel", "dstLoHiSel")
    return {prop.name: truth(index) if is_half else i32_attr(index)}


def _filled(rewriter: ConversionRewriter, source: Value, room: Value) -> Value:
    """Elements, or a single one, at the start of a vector."""
    if not isinstance(source.type, VectorType):
        return emit.insert_element(rewriter, room, source, emit.i32(rewriter, 0))
    for lane in range(count(source.type)):
        index = emit.i32(rewriter, lane)
        room = emit.insert_element(rewriter, room, emit.extract_element(rewriter, source, index), index)
    return room


# ---- to larger ones


@named("ExtPackedFp8OpLowering")
def extend(
    op: ops.ExtPackedFp8Op,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """
        %1 = amdgpu.ext_packed_fp8 %0[2] : vector<4xf8E4M3FN> to f32
    ->
        %w = llvm.bitcast %0 : vector<4xi8> to i32
        %1 = rocdl.cvt.f32.fp8 %w[2] : f32
    """
    (source,), result, kind = operands, types.convert(op.res.type), _kind(op.source.type, chipset)
    if isinstance(kind, Failure):
        return kind
    if result is None:
        return _OTHER_FP8
    if not isinstance(source.type, VectorType) or count(source.type) < 4:
        source = _filled(rewriter, source, _undef(rewriter, _BYTES))
    word = bitcast(rewriter, source, I32)
    name = f"rocdl.cvt.{'pk.' if isinstance(op.res.type, VectorType) else ''}f32.{kind}"
    rewriter.replace_with(op, name, [word], [result], _selected(rewriter, name, op.index.value))
    return None


@named("ScaledExtPackedOpLowering")
def extend_scaled(
    op: ops.ScaledExtPackedOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    if chipset != GFX950:
        return _NOT_SCALED
    source, scale = operands
    small, large = element_type(op.source.type), element_type(op.res.type)
    packed = VectorType((8,), IntegerType(4)) if small == FP4 else _BYTES
    if isinstance(source.type, VectorType) and count(source.type) < count(packed):
        source = _filled(rewriter, source, emit.null(rewriter, packed))
    word = bitcast(rewriter, source, I32)
    if small not in (FP8, BF8, FP4) or large not in (F32, F16, BF16):
        return NO_MATCH
    name = f"rocdl.cvt.scalef32.pk.{_KINDS[large]}.{_KINDS[small]}"
    rewriter.replace_with(op, name, [word, scale], [op.res.type], _selected(rewriter, name, op.index.value))
    return None


_PACKED: Final[dict[Type, tuple[Type, int]]] = {
    FP4: (I32, 8),
    FP8: (VectorType((2,), I32), 8),
    BF8: (VectorType((2,), I32), 8),
    FP6: (VectorType((3,), I32), 16),
    BF6: (VectorType((3,), I32), 16),
}
"""How elements are held, and how many at once."""


@named("ScaledExtPackedMatrixOpLowering")
def extend_matrix(
    op: ops.ScaledExtPackedMatrixOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Which scale is whose, a number says: how long blocks are, where scales begin, and in which half of the wave."""
    if chipset != GFX1250:
        return _NOT_PACKED
    source, scale = operands
    small, large, result = element_type(op.source.type), element_type(op.res.type), types.convert(op.res.type)
    if result is None or small not in _PACKED or large not in (F32, F16, BF16):
        return Failure("type conversion failed")
    packed, length = _PACKED[small]
    name = f"rocdl.cvt.scale.pk{length}.{_KINDS[large]}.{_KINDS[small]}"
    half, first = op.firstScaleLane.value // 16, op.firstScaleByte.value
    if small in (FP8, BF8):
        selection = half << 3 | first << 1
    else:
        selection = half << 2 | (first == 2) << 1
    selection |= op.blockSize.value == 16
    scales = bitcast(rewriter, scale, I32)
    words = bitcast(rewriter, source, packed)
    rewriter.replace_with(op, name, [words, scales], [result], {"scaleSel": i32_attr(selection)})
    return None


# ---- from larger ones


@named("PackedScaledTruncOpLowering")
def truncate_scaled(
    op: ops.PackedScaledTruncOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Two are put into a half of what there is already, or of zeros."""
    if chipset != GFX950:
        return _NOT_SCALED
    given = groups(op, operands)
    source, scale = given["source"][0], given["scale"][0]
    small, large = element_type(op.res.type), element_type(op.source.type)
    held: Type = I32 if small == FP4 else VectorType((2,), I16)
    there = [bitcast(rewriter, each, held) for each in given["existing"]] or [emit.null(rewriter, held)]
    if isinstance(source.type, VectorType) and count(source.type) < 2:
        zero = emit.i32(rewriter, 0)
        element = emit.extract_element(rewriter, source, zero)
        room = emit.null(rewriter, VectorType((2,), large))
        source = emit.insert_element(rewriter, room, element, zero)
    sources = [source]
    if large == F32:
        lanes = [emit.i32(rewriter, lane) for lane in (0, 1)]
        sources = [emit.extract_element(rewriter, source, lane) for lane in lanes]
    if small not in (FP8, BF8, FP4) or large not in (F32, F16, BF16):
        return NO_MATCH
    name = f"rocdl.cvt.scalef32.pk.{_KINDS[small]}.{_KINDS[large]}"
    return _put(op, rewriter, name, [*there, *sources, scale], op.index.value, held, types)


def _put(
    op: ops.PackedScaledTruncOp | ops.PackedTrunc2xfp8Op | ops.PackedStochRoundFp8Op,
    rewriter: ConversionRewriter,
    name: str,
    taken: Sequence[Value],
    index: int,
    held: Type,
    types: LLVMTypeConverter,
) -> Failure | None:
    """What an instruction gives takes the operation's place: it has put numbers into a part of a word."""
    result = types.convert(op.res.type)
    if result is None:
        return Failure("type conversion failed")
    made = rewriter.create(name, taken, [held], _selected(rewriter, name, index)).result
    rewriter.replace(op, [bitcast(rewriter, made, result)])
    return None


def _existing(given: Sequence[Value], rewriter: ConversionRewriter) -> Value:
    """The word that is put into, or any."""
    return bitcast(rewriter, given[0], I32) if given else _undef(rewriter, I32)


@named("PackedTrunc2xFp8OpLowering")
def truncate(
    op: ops.PackedTrunc2xfp8Op,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    given, kind = groups(op, operands), _kind(op.res.type, chipset)
    if isinstance(kind, Failure):
        return kind
    (first,) = given["sourceA"]
    second = given["sourceB"] or [_undef(rewriter, first.type)]
    taken = [first, *second, _existing(given["existing"], rewriter)]
    return _put(op, rewriter, f"rocdl.cvt.pk.{kind}.f32", taken, op.wordIndex.value, I32, types)


@named("PackedStochRoundFp8OpLowering")
def round_by_chance(
    op: ops.PackedStochRoundFp8Op,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    given, kind = groups(op, operands), _kind(op.res.type, chipset)
    if isinstance(kind, Failure):
        return kind
    taken = [*given["source"], *given["stochiasticParam"], _existing(given["existing"], rewriter)]
    return _put(op, rewriter, f"rocdl.cvt.sr.{kind}.f32", taken, op.storeIndex.value, I32, types)


LOWERINGS: Final[dict[str, LowerFor]] = {
    "amdgpu.ext_packed_fp8": extend,
    "amdgpu.scaled_ext_packed_matrix": extend_matrix,
    "amdgpu.scaled_ext_packed": extend_scaled,
    "amdgpu.packed_scaled_trunc": truncate_scaled,
    "amdgpu.packed_trunc_2xfp8": truncate,
    "amdgpu.packed_stoch_round_fp8": round_by_chance,
}
