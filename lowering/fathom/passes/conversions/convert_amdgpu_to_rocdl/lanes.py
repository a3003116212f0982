"""Values that move between the lanes of a wave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.types import struct_of
from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, i32_attr, i64_attr
from fathom.ir.types import F32, F64, I1, I32, I64, FloatType, IntegerType, Type, VectorType
from fathom.irdl.cases import word_of
from fathom.passes.conversions.convert_amdgpu_to_rocdl.target import (
    GFX950,
    LowerFor,
    bitcast,
    refuse,
    truth,
    width,
)
from fathom.passes.gpu_to_llvm.parts_of_values import bits_of, put_together, taken_apart
from fathom.passes.to_llvm import emit
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import amdgpu as ops
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_WAYS: Final = {
    "row_shl": 0x100,
    "row_shr": 0x110,
    "row_ror": 0x120,
    "wave_shl": 0x130,
    "wave_rol": 0x134,
    "wave_shr": 0x138,
    "wave_ror": 0x13C,
    "row_mirror": 0x140,
    "row_half_mirror": 0x141,
    "row_bcast_15": 0x142,
    "row_bcast_31": 0x143,
}
"""The control words, to which those of rows add by how much they move."""


@named("AMDGPUDPPLowering")
def move(
    op: ops.DppOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Small values are moved as words, in the lowest bits of which they stand."""
    old, source = operands
    type = source.type
    bits = width(type)
    if not bits:
        return Failure(f"'{type}' is no number")
    narrow = IntegerType(bits)
    moved: Type = I32 if bits < 32 else _moved(type)
    # MLIR brings the source in form before what it replaces.
    wide = [_widened(rewriter, value, narrow) for value in (source, old)]
    properties: dict[str, Attribute] = {
        "dppCtrl": i32_attr(_control(op)),
        "rowMask": i32_attr(op.row_mask.value),
        "bankMask": i32_attr(op.bank_mask.value),
        "boundCtrl": truth(op.bound_ctrl.value),
    }
    result = rewriter.create("rocdl.update.dpp", [wide[1], wide[0]], [moved], properties).result
    if bits < 32:
        result = emit.cast(rewriter, "llvm.trunc", result, narrow)
        if not isinstance(type, IntegerType):
            result = bitcast(rewriter, result, type)
    rewriter.replace(op, [result])
    return None


def _moved(type: Type) -> Type:
    if isinstance(type, FloatType):
        return F32 if type.width == F32.width else F64
    return I32 if width(type) == I32.width else I64


def _widened(rewriter: ConversionRewriter, value: Value, narrow: IntegerType) -> Value:
    if narrow.width > 16:
        return value
    if isinstance(value.type, FloatType):
        value = bitcast(rewriter, value, narrow)
    room = rewriter.create("llvm.mlir.undef", (), [VectorType((32 // narrow.width,), narrow)]).result
    return bitcast(rewriter, emit.insert_element(rewriter, room, value, emit.i32(rewriter, 0)), I32)


def _control(op: ops.DppOp) -> int:
    way, said = word_of(op.kind), op.permArgument
    if way == "quad_perm":
        lanes = said.elements if isinstance(said, ArrayAttr) else ()
        numbers = [lane.value for lane in lanes if isinstance(lane, IntegerAttr)]
        return sum(lane << 2 * place for place, lane in enumerate(numbers))
    by = said.value if isinstance(said, IntegerAttr) and way in ("row_shl", "row_shr", "row_ror") else 0
    return _WAYS[way] + by


def _parts(
    op: ops.SwizzleBitmodeOp | ops.PermlaneSwapOp, source: Value, rewriter: ConversionRewriter
) -> list[Value] | Failure:
    """The words of a value."""
    words = (bits_of(source.type) or 0) // 32
    if (refused := too_many_operations(op, 9 * words)) is not None:
        return refused
    parts = taken_apart(source, rewriter)
    return Failure("its bits are no multiple of 32") if parts is None else parts


@named("AMDGPUSwizzleBitModeLowering")
def swizzle(
    op: ops.SwizzleBitmodeOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Each lane reads from the one whose number is its own after three masks."""
    (source,) = operands
    parts = _parts(op, source, rewriter)
    if isinstance(parts, Failure):
        return parts
    mask = emit.i32(rewriter, op.and_mask.value | op.or_mask.value << 5 | op.xor_mask.value << 10)
    swizzled = [rewriter.create("rocdl.ds_swizzle", [part, mask], [I32]).result for part in parts]
    rewriter.replace(op, [put_together(swizzled, source.type, rewriter)])
    return None


_EQUAL: Final = i64_attr(cases("ICmpPredicate")["eq"])


@named("AMDGPUPermlaneLowering")
def swap(
    op: ops.PermlaneSwapOp,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    chipset: Chipset,
) -> Failure | None:
    """Halves of rows change places: of the two that come out it is the one that a lane did not have."""
    if chipset < GFX950:
        return refuse(op, "permlane_swap is only supported on gfx950+")
    (source,), length = operands, op.row_length.value
    if length not in (16, 32):
        return Failure("there is no instruction for rows of this length")
    parts = _parts(op, source, rewriter)
    if isinstance(parts, Failure):
        return parts
    properties: dict[str, Attribute] = {
        "fi": truth(op.fetch_inactive.value),
        "boundControl": truth(op.bound_ctrl.value),
    }
    swapped: list[Value] = []
    for part in parts:
        pair = rewriter.create(f"rocdl.permlane{length}.swap", [part, part], [struct_of(I32, I32)], properties).result
        first, second = (emit.extract(rewriter, pair, I32, place) for place in (0, 1))
        same = rewriter.create("llvm.icmp", [first, part], [I1], {"predicate": _EQUAL}).result
        swapped.append(rewriter.create("llvm.select", [same, second, first], [I32]).result)
    rewriter.replace(op, [put_together(swapped, source.type, rewriter)])
    return None


LOWERINGS: Final[dict[str, LowerFor]] = {
    "amdgpu.dpp": move,
    "amdgpu.swizzle_bitmode": swizzle,
    "amdgpu.permlane_swap": swap,
}
