"""Narrow floats as f32, of which there are approximations.

    %0 = math.exp %x : f16
->
    %1 = arith.extf %x : f16 to f32
    %2 = math.exp %1 : f32
    %0 = arith.truncf %2 : f32 to f16
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.types import F32, FloatType, element_type
from fathom.irdl.type_functions import with_element
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def _extend(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    type = op.result.type
    if any(operand.type != type for operand in operands):
        return Failure("operands and result are not of one type")
    element = element_type(type)
    if not isinstance(element, FloatType) or element == F32 or element.width > 32:
        return Failure("these are no floats narrower than f32")
    wide = with_element(type, F32)
    extended = [rewriter.create("arith.extf", [operand], [wide]).result for operand in operands]
    result = rewriter.create(op.name, extended, [wide], op.properties, op.attributes).result
    rewriter.replace_with(op, "arith.truncf", [result], [type])
    return None


def extending(name: str) -> Pattern:
    """The pattern for `math.NAME`."""
    return Pattern(f"math.{name}", _extend, name="ReuseF32Expansion")


NAMES: Final = "atan atan2 cbrt cos erf erfc exp expm1 log log1p log2 sin tanh"
PATTERNS: Final = tuple(map(extending, NAMES.split()))
