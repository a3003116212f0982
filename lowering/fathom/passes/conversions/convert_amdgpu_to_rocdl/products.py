"""Products of small matrices: which instruction a chipset has for them, and what that takes.

Source of the rules: MLIR 22, and the instruction sets of AMD's CDNA 3, CDNA 4, RDNA 3, RDNA 4 and gfx1250.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fathom.ir.attributes import Attribute, IntegerAttr, i32_attr
from fathom.ir.types import (
    BF16,
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    FloatType,
    IntegerType,
    Type,
    VectorType,
    element_type,
)
from fathom.irdl.cases import number_of
from fathom.ops import amdgpu as ops
from fathom.ops.llvm import BitcastOp
from fathom.passes.conversions.convert_amdgpu_to_rocdl.target import (
    BF6,
    BF8,
    FP4,
    FP6,
    FP8,
    GFX90A,
    GFX908,
    GFX942,
    GFX950,
    GFX1250,
    LowerFor,
    bitcast,
    count,
    instruction,
    refuse,
    small_kind,
    truth,
    unless,
    width,
)
from fathom.passes.gpu_to_llvm.chipsets import Chipset
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure, defined_by, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


# ---- which instructions there are

_ANY: Final = Chipset(0, 0, 0)


class _Family(NamedTuple):
    """Instructions for factors and a sum of some types, since a chipset. The shapes are `MxKxblocks`, as wide as they
    are high."""

    factor: Type
    total: Type
    since: Chipset
    suffix: str
    shapes: str


_REDUCED: Final = _Family(F32, F32, GFX942, ".xf32", "32x4x1 16x8x1")
_OF_16: Final = "32x4x2 16x4x4 4x4x16 32x8x1 16x16x1"
_FAMILIES: Final = (
    _Family(F32, F32, _ANY, "f32", "32x1x2 16x1x4 4x1x16 32x2x1 16x4x1"),
    _Family(F16, F32, GFX950, ".f16", "32x16x1 16x32x1"),
    _Family(F16, F32, _ANY, "f16", _OF_16),
    _Family(BF16, F32, GFX950, ".bf16", "32x16x1 16x32x1"),
    _Family(BF16, F32, GFX90A, "bf16.1k", _OF_16),
    _Family(BF16, F32, _ANY, "bf16", "32x2x2 16x2x4 4x2x16 32x4x1 16x8x1"),
    _Family(I8, I32, GFX950, ".i8", "32x32x1 16x64x1"),
    _Family(I8, I32, _ANY, "i8", _OF_16),
    _Family(I8, I32, GFX942, ".i8", "32x16x1 16x32x1"),
    _Family(F64, F64, GFX90A, "f64", "16x4x1 4x4x4"),
)
_OF_8: Final = "16x32x1 32x16x1"
_NAMES: Final[dict[Type, str]] = {F16: "f16", BF16: "bf16", F32: "f32", F64: "f64", I32: "i32"}


def _signless(type: Type) -> Type:
    """An element's type without its sign."""
    element = element_type(type)
    return IntegerType(element.width) if isinstance(element, IntegerType) else element


def _mfma(op: ops.MfmaOp, chipset: Chipset) -> str | None:
    m, n, k, blocks = op.m.value, op.n.value, op.k.value, op.blocks.value
    factor, total = _signless(op.sourceA.type), _signless(op.destC.type)
    shape, size = f"{m}x{k}x{blocks}", f"{m}x{n}x{k}"
    if m != n:
        return None
    families = (_REDUCED, *_FAMILIES) if op.reducePrecision is not None else _FAMILIES
    for family in families:
        fits = (family.factor, family.total) == (factor, total) and chipset >= family.since
        if fits and shape in family.shapes.split():
            return f"rocdl.mfma.{_NAMES[total]}.{size}{family.suffix}"
    kinds = [small_kind(element_type(each.type), chipset) for each in (op.sourceA, op.sourceB)]
    if total == F32 and None not in kinds and shape in _OF_8.split():
        return f"rocdl.mfma.f32.{size}.{kinds[0]}.{kinds[1]}"
    return None


_FORMATS: Final[dict[Type, int]] = {FP8: 0, BF8: 1, FP6: 2, BF6: 3, FP4: 4}
"""How scaled instructions number the types of factors."""


def _scaled_mfma(op: ops.MfmaOp | ops.ScaledMfmaOp, blocks: int, chipset: Chipset) -> tuple[str, int, int] | None:
    """The instruction that scales factors, and the formats of these."""
    a, b = (_FORMATS.get(element_type(each.type)) for each in (op.sourceA, op.sourceB))
    size = f"{op.m.value}x{op.n.value}x{op.k.value}"
    fits = size in ("32x32x64", "16x16x128") and blocks == 1 and element_type(op.destC.type) == F32
    if chipset < GFX950 or not fits or a is None or b is None:
        return None
    return f"rocdl.mfma.scale.f32.{size}.f8f6f4", a, b


def _sparse_mfma(op: ops.SparseMfmaOp, chipset: Chipset) -> str | None:
    m, n, k = op.m.value, op.n.value, op.k.value
    first, second, total = (_signless(each.type) for each in (op.sourceA, op.sourceB, op.destC))
    if m != n or m not in (16, 32):
        return None
    small = [small_kind(each, chipset) for each in (first, second)]
    if first == second and first in (F16, BF16) and total == F32:
        kind, depths = _NAMES[first], (512 // m, 1024 // m)
    elif (first, second, total) == (I8, I8, I32):
        kind, depths = "i8", (1024 // m, 2048 // m)
    elif None not in small and total == F32:
        kind, depths = f"{small[0]}.{small[1]}", (1024 // m, 2048 // m)
    else:
        return None
    known = depths if chipset >= GFX950 else depths[:1]
    return f"rocdl.smfmac.{_NAMES[total]}.{m}x{n}x{k}.{kind}" if k in known else None


_HALVES: Final = {("f16", "f32"), ("bf16", "f32"), ("f16", "f16"), ("bf16", "bf16")}
_EIGHTS: Final = {"fp8_fp8", "fp8_bf8", "bf8_bf8", "bf8_fp8"}
_FACTORS: Final[dict[Type, str]] = {**_NAMES, I8: "iu8", IntegerType(4): "iu4"}


def _wmma(op: ops.WmmaOp, chipset: Chipset) -> str | None:
    first, second, total = (_signless(each.type) for each in (op.sourceA, op.sourceB, op.destC))
    kind, given, k = _FACTORS.get(first, ""), _NAMES.get(total, ""), op.k.value
    if first in (FP8, BF8) and second in (FP8, BF8):
        kind = "_".join("fp8" if each == FP8 else "bf8" for each in (first, second))
    is_integer = total == I32
    if chipset.major == 11:
        fits = k == 16 and ((kind, given) in _HALVES or (is_integer and kind in ("iu8", "iu4")))
    elif (chipset.major, chipset.minor) == (12, 0):
        fits = k == 16 and (
            (kind, given) in _HALVES or (is_integer and kind in ("iu8", "iu4")) or (kind in _EIGHTS and total == F32)
        )
        fits = fits or (k == 32 and is_integer and kind == "iu4")
    elif chipset == GFX1250:
        fits = {
            4: (kind, given) == ("f32", "f32"),
            32: (kind, given) in _HALVES,
            64: (kind in _EIGHTS and given in ("f32", "f16")) or (is_integer and kind == "iu8"),
            128: kind in _EIGHTS and given in ("f32", "f16"),
        }.get(k, False)
    else:
        return None
    return f"rocdl.wmma.{given}.16x16x{k}.{kind}" if fits else None


# ---- what they take


def _packed(rewriter: ConversionRewriter, value: Value, *, takes_bf16: bool = True, into_one: bool = True) -> Value:
    """Small elements as words, or if they are few as one number; bf16 as numbers where an instruction is older than
    the type."""
    type = value.type
    if not isinstance(type, VectorType):
        return value
    if type.element == BF16 and not takes_bf16:
        return bitcast(rewriter, value, VectorType(type.shape, I16))
    if not isinstance(type.element, IntegerType) or type.element.width > I8.width:
        return value
    length = count(type)
    if into_one and type.element == I8 and length <= 8:
        return bitcast(rewriter, value, IntegerType(8 * length))
    return bitcast(rewriter, value, VectorType((-(-length * type.element.width // 32),), I32))


def _scale(rewriter: ConversionRewriter, value: Value) -> Value:
    """Scales as one number."""
    if not isinstance(value.type, VectorType):
        return emit.cast(rewriter, "llvm.zext", value, I32)
    return bitcast(rewriter, value, I32 if count(value.type) == 4 else I64)


def _as_numbers(type: Type) -> Type:
    """A vector of bf16 as one of numbers."""
    is_bf16 = isinstance(type, VectorType) and type.element == BF16
    return VectorType(type.shape, I16) if is_bf16 and isinstance(type, VectorType) else type


# ---- lowerings


@named("MFMAOpLowering")
def multiply(
    op: ops.MfmaOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    a, b, c = operands
    result = types.convert(op.destD.type)
    if result is None:
        return Failure(f"no rule converts '{op.destD.type}' to the LLVM dialect")
    if chipset.major != 9 or chipset < GFX908:
        return refuse(op, "MFMA only supported on gfx908+")
    permuted = number_of(op.blgp) or 0
    negated = [each is not None for each in (op.negateA, op.negateB, op.negateC)]
    if any(negated):
        if chipset < GFX942:
            return refuse(op, "negation unsupported on older than gfx942")
        permuted |= sum(1 << place for place, is_negated in enumerate(negated) if is_negated)
    name, scaled = _mfma(op, chipset), _scaled_mfma(op, op.blocks.value, chipset)
    if name is None and scaled is None:
        return refuse(op, "no intrinsic matching MFMA size on given chipset")
    if name is None and (op.abid.value > 0 or permuted > 0 or op.cbsz.value > 0):
        return refuse(
            op,
            "non-default abid, blgp, and cbsz aren't supported on MFMAs that can be scaled as those fields are used "
            "for type information",
        )
    takes_bf16 = chipset >= GFX950 and (name is None or "16x16x32.bf16" in name or "32x32x16.bf16" in name)
    given = [*(_packed(rewriter, each, takes_bf16=takes_bf16) for each in (a, b)), c]
    if name is None and scaled is not None:
        name, *formats = scaled
        zero = emit.i32(rewriter, 0)
        given += [*(emit.i32(rewriter, each) for each in formats), zero, zero, zero, zero]
    else:
        given += [emit.i32(rewriter, each) for each in (op.cbsz.value, op.abid.value, permuted)]
    assert name is not None
    made = rewriter.create(name, given, [_as_numbers(result)]).result
    rewriter.replace(op, [unless(rewriter, made, result)])
    return None


@named("ScaledMFMAOpLowering")
def multiply_scaled(
    op: ops.ScaledMfmaOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    a, b, c, of_a, of_b = operands
    result = types.convert(op.destD.type)
    if chipset.major != 9 or chipset < GFX950:
        return refuse(op, "scaled MFMA only supported on gfx908+")
    scaled = _scaled_mfma(op, 1, chipset)
    if scaled is None or result is None:
        return refuse(op, "no intrinsic matching scaled MFMA size on given chipset")
    name, *formats = scaled
    given = [_packed(rewriter, a), _packed(rewriter, b), c]
    places = [emit.i32(rewriter, each.value) for each in (op.scalesIdxA, op.scalesIdxB)]
    given += [emit.i32(rewriter, each) for each in formats]
    for place, scale in zip(places, (of_a, of_b), strict=True):
        given += [place, _scale(rewriter, scale)]
    rewriter.replace_with(op, name, given, [result])
    return None


@named("SparseMFMAOpLowering")
def multiply_sparse(
    op: ops.SparseMfmaOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    a, b, c, indices = operands
    result = types.convert(op.destC.type)
    if not isinstance(result, VectorType):
        return Failure("type conversion failed")
    if chipset.major != 9 or chipset < GFX942:
        return refuse(op, "sparse MFMA (smfmac) only supported on gfx942+")
    name = _sparse_mfma(op, chipset)
    if name is None:
        return refuse(op, "no intrinsic matching sparse MFMA on the given chipset")
    takes_bf16 = chipset >= GFX950
    given = [*(_packed(rewriter, each, takes_bf16=takes_bf16, into_one=False) for each in (a, b)), c]
    given.append(bitcast(rewriter, indices, I32))
    given += [emit.i32(rewriter, each.value) for each in (op.cbsz, op.abid)]
    rewriter.replace_with(op, name, given, [result])
    return None


@named("WMMAOpLowering")
def multiply_in_waves(
    op: ops.WmmaOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Older chipsets take bf16 as numbers. Of integers it is said whether they have a sign."""
    result = types.convert(op.destD.type)
    if not isinstance(result, VectorType):
        return Failure("type conversion failed")
    if chipset.major not in (11, 12):
        return refuse(op, "WMMA only supported on gfx11 and gfx12")
    name = _wmma(op, chipset)
    if name is None:
        return refuse(op, "no intrinsic matching WMMA on the given chipset")
    if chipset.major >= 12 and op.subwordOffset.value:
        return refuse(op, "subwordOffset not supported on gfx12+")
    raw: Type = result
    a, b, c = operands
    if chipset < GFX1250:
        raw = _as_numbers(result)
        a, b, c = (unless(rewriter, each, _as_numbers(each.type)) for each in operands)
    said: dict[str, Attribute] = {}
    given: list[Value] = []
    for letter, value, source, unsigned in (("A", a, op.sourceA, op.unsignedA), ("B", b, op.sourceB, op.unsignedB)):
        if isinstance(value.type, VectorType) and width(value.type.element) <= I8.width:
            if isinstance(element_type(source.type), IntegerType):
                said[f"sign{letter}"] = truth(unsigned is None)
            value = _in_words(rewriter, value, value.type)
        given.append(value)
    total = element_type(c.type)
    if total in (F16, BF16, I16):
        said["opsel"] = truth(op.subwordOffset.value)
    elif total == I32:
        said["clamp"] = truth(op.clamp is not None)
    made = instruction(rewriter, name, [*given, c], [raw], said).result
    rewriter.replace(op, [unless(rewriter, made, result)])
    return None


def _in_words(rewriter: ConversionRewriter, value: Value, type: VectorType) -> Value:
    """Small elements as words; fewer bits than a word has are followed by zeros."""
    bits = count(type) * width(type.element)
    wanted = IntegerType(bits) if bits <= I32.width else VectorType((bits // 32,), I32)
    cast = defined_by(value, BitcastOp)
    known = cast is not None and cast.operands[0].type == wanted
    whole = cast.operands[0] if cast is not None and known else unless(rewriter, value, wanted)
    return emit.cast(rewriter, "llvm.zext", whole, I32) if bits < I32.width else whole


_SCALES: Final[dict[Type, int]] = {FloatType("f8E8M0FNU"): 0, FP8: 2}
"""How instructions number the types of scales."""


@named("ScaledWMMAOpLowering")
def multiply_scaled_in_waves(
    op: ops.ScaledWmmaOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    result = types.convert(op.destD.type)
    if not isinstance(result, VectorType):
        return Failure("type conversion failed")
    if chipset < GFX1250:
        return refuse(op, "WMMA scale only supported on gfx1250+")
    formats = [_FORMATS.get(element_type(each.type)) for each in (op.sourceA, op.sourceB)]
    if None in formats:
        return refuse(op, "unsupported element types for scaled_wmma")
    lengths = [count(each.type) for each in (op.scaleA, op.scaleB) if isinstance(each.type, VectorType)]
    if len(set(lengths)) != 1:
        return refuse(op, "scaleA and scaleB must have equal vector length")
    scales = [_SCALES.get(element_type(each.type)) for each in (op.scaleA, op.scaleB)]
    if None in scales:
        return refuse(op, "unsupported scale element types")
    size = f"{op.m.value}x{op.n.value}x{op.k.value}"
    kind = {"16x16x128": "f8f6f4", "32x16x128": "f4"}.get(size)
    if kind is None:
        return refuse(op, f"unsupported scaled_wmma dimensions: {size}")
    name = f"rocdl.wmma.scale{'16' if lengths[0] == 8 else ''}.f32.{size}.{kind}"
    said: dict[str, Attribute] = {"modC": IntegerAttr(0, I16), "reuseA": truth(0), "reuseB": truth(0)}
    lanes = (op.a_first_scale_lane, op.b_first_scale_lane)
    for letter, format_, lane, scale in zip("AB", formats, lanes, scales, strict=True):
        if kind != "f4":
            said[f"fmt{letter}"] = i32_attr(format_ or 0)
        said[f"scale{letter}Type"] = i32_attr(lane.value // 16)
        said[f"fmtScale{letter}"] = i32_attr(scale or 0)
    a, b, c, of_a, of_b = operands
    given = [_packed(rewriter, a), _packed(rewriter, b), c, _scale(rewriter, of_a), _scale(rewriter, of_b)]
    rewriter.replace(op, list(instruction(rewriter, name, given, [result], said).results))
    return None


LOWERINGS: Final[dict[str, LowerFor]] = {
    "amdgpu.mfma": multiply,
    "amdgpu.scaled_mfma": multiply_scaled,
    "amdgpu.sparse_mfma": multiply_sparse,
    "amdgpu.wmma": multiply_in_waves,
    "amdgpu.scaled_wmma": multiply_scaled_in_waves,
}
