"""A chipset and what it can do; and short forms for what lowerings for it make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.ir.attributes import FALSE, TRUE, Attribute, IntegerAttr
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.irdl.build import definition_of
from fathom.passes.gpu_to_llvm.chipsets import Chipset
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

LowerFor: TypeAlias = "Callable[[Any, Sequence[Value], ConversionRewriter, LLVMTypeConverter, Chipset], Failure | None]"
"""What a lowering does for a chipset, with operands of converted types."""

GFX908: Final = Chipset(9, 0, 8)
GFX90A: Final = Chipset(9, 0, 10)
GFX942: Final = Chipset(9, 4, 2)
GFX950: Final = Chipset(9, 5, 0)
GFX1250: Final = Chipset(12, 5, 0)

FP8, BF8 = FloatType("f8E4M3FN"), FloatType("f8E5M2")
FP6, BF6 = FloatType("f6E2M3FN"), FloatType("f6E3M2FN")
FP4: Final = FloatType("f4E2M1FN")
_KINDS: Final[tuple[dict[Type, str], dict[Type, str]]] = (
    {FP8: "fp8", BF8: "bf8"},
    {FloatType("f8E4M3FNUZ"): "fp8", FloatType("f8E5M2FNUZ"): "bf8"},
)
"""What instructions call floats of 8 bits: those of now, and those of gfx942."""


def has_ocp_fp8(chipset: Chipset) -> bool:
    """Whether its floats of 8 bits are those of the Open Compute Project."""
    return (chipset.major == 9 and chipset.minor >= 5) or chipset.major >= 12


def has_fp8(chipset: Chipset) -> bool:
    """Whether it converts floats of 8 bits."""
    return chipset == GFX942 or has_ocp_fp8(chipset)


NO_FP8: Final = Failure(
    "Fp8 conversion instructions are not available on target architecture and their emulation is not implemented"
)


def small_kind(type: Type, chipset: Chipset) -> str | None:
    """What its instructions call a float of 8 bits."""
    return _KINDS[chipset == GFX942].get(type) if has_fp8(chipset) else None


def refuse(op: Operation, message: str) -> Failure:
    """What MLIR says as an error of the operation."""
    return Failure(f"'{op.name}' op {message}", said_of=op)


# ---- short forms


def bitcast(rewriter: ConversionRewriter, value: Value, type: Type) -> Value:
    return emit.cast(rewriter, "llvm.bitcast", value, type)


def unless(rewriter: ConversionRewriter, value: Value, type: Type) -> Value:
    """A value as one of a type, which it may be already."""
    return value if value.type == type else bitcast(rewriter, value, type)


def binary(rewriter: ConversionRewriter, kind: str, left: Value, right: Value) -> Value:
    return rewriter.create(f"llvm.{kind}", [left, right], [left.type]).result


def count(type: VectorType) -> int:
    """The elements of a vector."""
    return prod(type.ranked_shape)


def width(type: Type) -> int:
    """The bits of a number; 0 of anything else."""
    return type.width if isinstance(type, (IntegerType, FloatType)) else 0


def instruction(
    rewriter: ConversionRewriter,
    name: str,
    operands: Sequence[Value],
    results: Sequence[Type],
    said: Mapping[str, Attribute],
) -> Operation:
    """An operation that says these things, those that its definition does not have too."""
    own = definition_of(rewriter.context, name).property_map.keys()
    properties = {each: value for each, value in said.items() if each in own}
    return rewriter.create(name, operands, results, properties, {k: v for k, v in said.items() if k not in own})


def truth(value: object) -> IntegerAttr:
    """Whether something is so, as a bit."""
    return TRUE if value else FALSE
