"""The canonicalisation of `tosa.clamp`: limits that limit nothing, and limits within limits.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import as_signed, as_unsigned
from fathom.dialects.tosa.values import stored_of
from fathom.ir import float_arithmetic
from fathom.ir.attributes import Attribute, FloatAttr, IntegerAttr
from fathom.ir.floats import is_infinity, is_negative
from fathom.ir.types import FloatType, IntegerType, TensorType
from fathom.irdl.cases import word
from fathom.ops import tosa as ops
from fathom.rewriting.pattern import NO_MATCH, Failure, defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

_MODE: Final = "nan_mode"


def limits_nothing(op: ops.ClampOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Limits that no number of the type exceeds."""
    type, limits = operands[0].type, _limits(op)
    if not isinstance(type, TensorType) or type.shape is None or limits is None:
        return NO_MATCH
    low, high = limits
    match low, high, type.element:
        case FloatAttr(), FloatAttr(), FloatType(name):
            is_wide = is_infinity(low.bits, name) and is_negative(low.bits, name) and is_infinity(high.bits, name)
        case IntegerAttr(), IntegerAttr(), IntegerType(width, signedness) if signedness == "u" or width == 1:
            is_wide = not as_unsigned(low.value, width) and as_unsigned(high.value, width) == (1 << width) - 1
        case IntegerAttr(), IntegerAttr(), IntegerType(width):
            is_wide = low.value <= -(1 << (width - 1)) and high.value >= (1 << (width - 1)) - 1
        case _:
            is_wide = False
    if not is_wide:
        return NO_MATCH
    rewriter.replace(op, operands)
    return None


def limited_twice(op: ops.ClampOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Limits that have something in common are one. What is no number goes through where both let it."""
    inner = defined_by(operands[0], op.name)
    outer_limits, inner_limits = _limits(op), _limits(inner) if inner is not None else None
    if inner is None or outer_limits is None or inner_limits is None:
        return NO_MATCH
    lets_through = [word(each, _MODE) in ("", "PROPAGATE") for each in (op, inner)]
    if lets_through == [False, True]:
        return Failure("what is no number is treated otherwise")
    element = stored_of(operands[0].type)
    (low, high), (inner_low, inner_high) = outer_limits, inner_limits
    if not _is_less(low, inner_high, element) or not _is_less(inner_low, high, element):
        return Failure("the limits have nothing in common")
    properties = {
        **op.properties,
        "min_val": inner_low if _is_less(low, inner_low, element) else low,
        "max_val": inner_high if _is_less(inner_high, high, element) else high,
    }
    mode = (op if lets_through[0] == lets_through[1] else inner).properties.get(_MODE)
    if mode is not None:
        properties[_MODE] = mode
    rewriter.replace_with(op, op.name, [inner.operands[0]], [op.result.type], properties)
    return None


def _limits(op: Operation) -> tuple[Attribute, Attribute] | None:
    low, high = op.properties.get("min_val"), op.properties.get("max_val")
    return (low, high) if low is not None and high is not None else None


def _is_less(one: Attribute, other: Attribute, element: object) -> bool:
    match one, other, element:
        case FloatAttr(), FloatAttr(), FloatType(name):
            return float_arithmetic.compare(one.bits, other.bits, name) == -1
        case IntegerAttr(), IntegerAttr(), IntegerType(width, signedness):
            view = as_unsigned if signedness == "u" else as_signed
            return view(one.value, width) < view(other.value, width)
        case _:
            return False
