"""What conversions between narrow floats are in LLVM IR.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.calling import Maker, calls, replaces
from fathom.ir.attributes import TypeAttr
from fathom.ir.property_values import flag_property
from fathom.ir.types import I8, I16, IntegerType
from fathom.irdl.cases import word
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.dialects.llvm.calling import Called
    from fathom.ir.operation import Operation, Value

    _FromTwo: TypeAlias = (
        ops.ConvertBf16x2ToF8x2Op
        | ops.ConvertF16x2ToF8x2Op
        | ops.ConvertF32x2ToF4x2Op
        | ops.ConvertF32x2ToF6x2Op
        | ops.ConvertF32x2ToF8x2Op
    )

_NVVM: Final = "llvm.nvvm."
_SHORT: Final = {
    "f4E2M1FN": "e2m1",
    "f6E2M3FN": "e2m3",
    "f6E3M2FN": "e3m2",
    "f8E4M3FN": "e4m3",
    "f8E5M2": "e5m2",
    "f8E8M0FNU": "ue8m0",
}
"""What the names of intrinsics call types."""


def _type(op: Operation, prop: str = "dstTy") -> str:
    attribute = op.properties.get(prop)
    return _SHORT.get(str(attribute.type), "") if isinstance(attribute, TypeAttr) else ""


def _relu(op: Operation) -> str:
    return ".relu" if flag_property(op, "relu") else ""


def _saturated(op: Operation) -> str:
    return ".satfinite" if word(op, "sat") == "satfinite" else ""


@calls("nvvm.convert.float.to.tf32")
def _to_tf32(op: ops.ConvertFloatToTf32Op, _make: Maker) -> Called:
    return f"{_NVVM}f2tf32.{word(op, 'rnd')}{_relu(op)}{_saturated(op)}", [op.src]


@calls("nvvm.convert.f32x2.to.f16x2", "nvvm.convert.f32x2.to.bf16x2")
def _to_half(op: ops.ConvertF32x2ToF16x2Op | ops.ConvertF32x2ToBf16x2Op, _make: Maker) -> Called:
    kind = "f16x2" if isinstance(op, ops.ConvertF32x2ToF16x2Op) else "bf16x2"
    random = [op.random_bits] if op.random_bits is not None else []
    return f"{_NVVM}ff2{kind}.{word(op, 'rnd')}{_relu(op)}{_saturated(op)}", [op.src_hi, op.src_lo, *random]


@calls("nvvm.convert.f32x4.to.f4x4", "nvvm.convert.f32x4.to.f6x4", "nvvm.convert.f32x4.to.f8x4")
def _of_four(
    op: ops.ConvertF32x4ToF4x4Op | ops.ConvertF32x4ToF6x4Op | ops.ConvertF32x4ToF8x4Op, _make: Maker
) -> Called:
    return f"{_NVVM}f32x4.to.{_type(op)}x4.rs{_relu(op)}.satfinite", [op.src, op.rbits]


# ---- two narrow floats are a number of 16 bits


@replaces(
    "nvvm.convert.bf16x2.to.f8x2",
    "nvvm.convert.f16x2.to.f8x2",
    "nvvm.convert.f32x2.to.f4x2",
    "nvvm.convert.f32x2.to.f6x2",
    "nvvm.convert.f32x2.to.f8x2",
)
def _to_two(op: _FromTwo, make: Maker) -> Value:
    source = "ff" if op.name.startswith("nvvm.convert.f32x2") else op.name.split(".")[2]
    type, narrow = _type(op), op.result.type
    if type == "ue8m0":
        how = f"{word(op, 'rnd')}{_saturated(op)}"
    else:
        # What has 8 bits and no sign bit aside is always within its range.
        how = f"rn{_relu(op)}" + (".satfinite" if type in ("e2m1", "e2m3", "e3m2") else "")
    packed = make.call(f"{_NVVM}{source}.to.{type}x2.{how}", op.operands, I16).result
    if narrow == I16:
        return packed
    return make.cast("trunc" if narrow == I8 else "bitcast", packed, narrow)


@calls(
    "nvvm.convert.f4x2.to.f16x2",
    "nvvm.convert.f6x2.to.f16x2",
    "nvvm.convert.f8x2.to.bf16x2",
    "nvvm.convert.f8x2.to.f16x2",
)
def _from_two(
    op: ops.ConvertF4x2ToF16x2Op | ops.ConvertF6x2ToF16x2Op | ops.ConvertF8x2ToBf16x2Op | ops.ConvertF8x2ToF16x2Op,
    make: Maker,
) -> Called:
    kind = "zext" if isinstance(op.src.type, IntegerType) else "bitcast"
    packed = make.cast(kind, op.src, I16)
    if isinstance(op, ops.ConvertF8x2ToBf16x2Op):
        return f"{_NVVM}ue8m0x2.to.bf16x2", [packed]
    return f"{_NVVM}{_type(op, 'srcType')}x2.to.f16x2.rn{_relu(op)}", [packed]
