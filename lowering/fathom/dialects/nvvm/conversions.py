"""What MLIR's verifiers say of nvvm's conversions between numbers: their types, rounding and saturation.

Source of the rules: *'nvvm' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.nvvm.rules import has, is_not, is_word, refuse, refuse_bare
from fathom.ir.property_values import flag_property, type_property
from fathom.ir.types import FloatType
from fathom.irdl.cases import word, word_of
from fathom.irdl.checking import all_of
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import nvvm as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

_F4: Final = ("f4E2M1FN",)
_F6: Final = ("f6E2M3FN", "f6E3M2FN")
_F8: Final = ("f8E4M3FN", "f8E5M2")
_SCALE: Final = "f8E8M0FNU"
_EACH: Final = " and ".join(f"'{name}'" for name in _F8)


def _float_in(op: Operation, prop: str) -> str:
    type = type_property(op, prop)
    return type.name if isinstance(type, FloatType) else ""


def _only(prop: str, names: Sequence[str], source: str, target: str, end: str = ".") -> Check:
    """The type that a property says is one of few."""
    listed = " and ".join(f"'{name}'" for name in names)
    noun = "type is" if len(names) == 1 else "types are"
    message = f"Only {listed} {noun} supported for conversions from {source} to {target}{end}"
    return refuse(message, lambda op: _float_in(op, prop) not in names)


def _to_half(target: str) -> Check:
    """Two floats to a pair of halves, rounded at random or not."""
    rounded = is_word("rnd", "rs")
    return all_of(
        refuse(
            f"Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to {target}.",
            is_not("rnd", "rn", "rz", "rs"),
        ),
        refuse(
            "random_bits is required for RS rounding mode.", lambda op: rounded(op) and not op.all_of("random_bits")
        ),
        refuse(
            "random_bits not supported for RN and RZ rounding modes.",
            lambda op: not rounded(op) and has("random_bits")(op),
        ),
    )


@verifies("nvvm.convert.f32x2.to.f8x2")
def _to_f8(op: ops.ConvertF32x2ToF8x2Op) -> Complaint:
    name, rounding = _float_in(op, "dstTy"), word_of(op.rnd)
    if name in _F8:
        if rounding != "rn":
            return f"Only RN rounding mode is supported for conversions from f32x2 to {_EACH} types"
        if word_of(op.sat) != "satfinite":
            return f"Only SATFINITE saturation mode is supported for conversions from f32x2 to {_EACH} types"
        return None
    if name != _SCALE:
        listed = ", ".join(f"'{kind}'" for kind in _F8)
        return f"Only {listed}, and '{_SCALE}' types are supported for conversions from f32x2 to f8x2"
    if rounding not in ("rz", "rp"):
        return f"Only RZ and RP rounding modes are supported for conversions from f32x2 to '{_SCALE}' type"
    return f"relu not supported for conversions to '{_SCALE}' type" if bool(op.relu.value) else None


_TO_TF32: Final = all_of(
    refuse_bare(
        "Relu not supported with rna rounding mode.", lambda op: word(op, "rnd") == "rna" and flag_property(op, "relu")
    ),
    refuse_bare(
        "Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.", is_not("rnd", "rn", "rz", "rna")
    ),
)
_FROM_BF16: Final = all_of(
    _only("dstTy", (_SCALE,), "bf16x2", "f8x2"),
    refuse(
        "Only RZ and RP rounding modes are supported for conversions from bf16x2 to f8x2.", is_not("rnd", "rz", "rp")
    ),
)


VERIFY: Final[Checks] = {
    "nvvm.convert.bf16x2.to.f8x2": _FROM_BF16,
    "nvvm.convert.f16x2.to.f8x2": _only("dstTy", _F8, "f16x2", "f8x2"),
    "nvvm.convert.f32x2.to.bf16x2": _to_half("bf16x2"),
    "nvvm.convert.f32x2.to.f16x2": _to_half("f16x2"),
    "nvvm.convert.f32x2.to.f4x2": _only("dstTy", _F4, "f32x2", "f4x2"),
    "nvvm.convert.f32x2.to.f6x2": _only("dstTy", _F6, "f32x2", "f6x2"),
    "nvvm.convert.f32x4.to.f4x4": _only("dstTy", _F4, "f32x4", "f4x4"),
    "nvvm.convert.f32x4.to.f6x4": _only("dstTy", _F6, "f32x4", "f6x4"),
    "nvvm.convert.f32x4.to.f8x4": _only("dstTy", _F8, "f32x4", "f8x4"),
    "nvvm.convert.f4x2.to.f16x2": _only("srcType", _F4, "f4x2", "f16x2"),
    "nvvm.convert.f6x2.to.f16x2": _only("srcType", _F6, "f6x2", "f16x2"),
    "nvvm.convert.f8x2.to.bf16x2": _only("srcType", (_SCALE,), "f8x2", "bf16x2"),
    "nvvm.convert.f8x2.to.f16x2": _only("srcType", _F8, "f8x2", "f16x2"),
    "nvvm.convert.float.to.tf32": _TO_TF32,
}
