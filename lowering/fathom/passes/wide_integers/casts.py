"""Casts between wide integers and narrow ones, `index` and floats.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import vector_of
from fathom.ir.floats import from_float, from_fraction
from fathom.ir.types import FloatType, IntegerType, Type, VectorType, element_type
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.passes.wide_integers.halves import LOW
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.arith import SitofpOp
    from fathom.passes.wide_integers.halves import Halves

# ---- integers


@named("ConvertExtSI")
def extend_signed(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The high half is all ones where the low one is negative, else zero."""
    rewriter = halves.rewriter
    low = create_or_fold(rewriter, "arith.extsi", [halves.with_unit(operands[0])], halves.half)
    is_negative = compare(rewriter, "slt", low, halves.number(0))
    return halves.join(low, rewriter.create("arith.extsi", [is_negative], [halves.half]).result)


@named("ConvertExtUI")
def extend_unsigned(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The high half is zero."""
    low = create_or_fold(halves.rewriter, "arith.extui", [halves.with_unit(operands[0])], halves.half)
    return halves.put(low, halves.number(0, halves.type), LOW)


@named("ConvertTruncI")
def truncate(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The low half, or its lowest bits."""
    low = halves.without_unit(halves.part(operands[0], LOW))
    return create_or_fold(halves.rewriter, "arith.trunci", [low], op.result.type)


@named("ConvertIndexCastIntToIndex")
def cast_to_index(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The low half as `index`; the high one is lost."""
    low = halves.without_unit(halves.part(operands[0], LOW))
    return halves.rewriter.create(op.name, [low], [op.result.type]).result


EXTENSIONS: Final = {"arith.index_cast": "arith.extsi", "arith.index_castui": "arith.extui"}
"""How the lowest bits of an `index` become a wide integer."""


@named("ConvertIndexCastIndexToInt")
def cast_from_index(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The lowest bits of the `index`, extended to a wide integer still."""
    narrow = _narrow(op.result.type, halves.width)
    low = halves.rewriter.create(op.name, operands, [narrow]).result
    return halves.rewriter.create(EXTENSIONS[op.name], [low], [op.result.type]).result


def _narrow(type: Type, width: int) -> Type:
    """Integers as wide as a half in the shape of a type."""
    half = IntegerType(width)
    return vector_of(type.ranked_shape, half) if isinstance(type, VectorType) else half


# ---- floats


@named("ConvertSIToFP")
def from_signed(op: SitofpOp, operands: Sequence[Value], halves: Halves) -> Value:
    """The float of the absolute value, negated where the integer is negative; the integers are wide still."""
    rewriter, value, type = halves.rewriter, op.in_, op.out.type
    zero = halves.number(0, halves.wide)
    is_negative = compare(rewriter, "slt", value, zero)
    magnitude = select(rewriter, is_negative, binary(rewriter, "subi", zero, value), value)
    positive = rewriter.create("arith.uitofp", [magnitude], [type]).result
    negative = rewriter.create("arith.negf", [positive], [type]).result
    return select(rewriter, is_negative, negative, positive)


@named("ConvertUIToFP")
def from_unsigned(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """`high == 0 ? float(low) : float(low) + float(high) * 2 ** w`, of halves of `w` bits."""
    rewriter, type = halves.rewriter, op.result.type
    low, high = map(halves.without_unit, halves.split(operands[0]))
    is_short = compare(rewriter, "eq", high, halves.number(0, high.type))
    lower = rewriter.create("arith.uitofp", [low], [type]).result
    upper = rewriter.create("arith.uitofp", [high], [type]).result
    # MLIR computes the power in 64 bits, in which the shift starts anew: 2 ** 64 comes out as 1.
    power = constant(rewriter, from_float(float(1 << halves.width % 64), _float_of(type).name), type)
    return select(rewriter, is_short, lower, binary(rewriter, "addf", lower, binary(rewriter, "mulf", upper, power)))


@named("ConvertFPToSI")
def to_signed(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The integer of the absolute value, negated where the float is negative; the integers are wide still."""
    rewriter, value = halves.rewriter, operands[0]
    zero, integer_zero = constant(rewriter, 0, value.type), halves.number(0, halves.wide)
    is_negative = compare_floats(rewriter, "olt", value, zero)
    negated = rewriter.create("arith.negf", [value], [value.type]).result
    magnitude = select(rewriter, is_negative, negated, value)
    positive = rewriter.create("arith.fptoui", [magnitude], [halves.wide]).result
    return select(rewriter, is_negative, binary(rewriter, "subi", integer_zero, positive), positive)


@named("ConvertFPToUI")
def to_unsigned(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """The integers of the quotient by `2 ** w` and of the remainder, of halves of `w` bits. A type of floats without
    such a number has infinity for it, so that the quotient is 0."""
    rewriter, value = halves.rewriter, operands[0]
    half = _narrow(value.type, halves.width)
    bits = from_fraction(Fraction(1 << halves.width), _float_of(value.type).name)
    power = constant(rewriter, bits, value.type)
    high = rewriter.create("arith.fptoui", [binary(rewriter, "divf", value, power)], [half]).result
    low = rewriter.create("arith.fptoui", [binary(rewriter, "remf", value, power)], [half]).result
    upper = halves.with_unit(high)
    return halves.join(halves.with_unit(low), upper)


def _float_of(type: Type) -> FloatType:
    element = element_type(type)
    assert isinstance(element, FloatType), "the definition of the operation demands floats"
    return element
