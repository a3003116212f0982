"""Roundings of floats by casts to integers and by their bits: part of `math-expand-ops`.

The operations and their order are those of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.floats import SEMANTICS
from fathom.ir.types import F32, FloatType, IntegerType, ShapedType, Type, element_type
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.passes.transforms.math_expand_ops.building import expansion, function, has_constants, number
from fathom.records import replace
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def _integers(type: Type, width: int) -> Type:
    """Integers of a width in the shape of a type."""
    element = IntegerType(width)
    return replace(type, element=element) if isinstance(type, ShapedType) else element


def _cast(rewriter: Rewriter, name: str, value: Value, type: Type) -> Value:
    return rewriter.create(f"arith.{name}", [value], [type]).result


def _truncated(rewriter: Rewriter, value: Value) -> Value:
    """A float without what is behind the point, whose sign is kept where it becomes zero."""
    whole = _cast(rewriter, "fptosi", value, _integers(value.type, 64))
    return function(rewriter, "copysign", _cast(rewriter, "sitofp", whole, value.type), value)


def _ceil(rewriter: Rewriter, operands: Sequence[Value]) -> Value:
    """`y + (x > y ? 1 : 0)`, where `y` is `x` without what is behind the point."""
    (x,) = operands
    whole = _truncated(rewriter, x)
    zero, one = number(rewriter, 0.0, x.type), number(rewriter, 1.0, x.type)
    is_more = compare_floats(rewriter, "ogt", x, whole)
    return binary(rewriter, "addf", whole, select(rewriter, is_more, one, zero))


def expand_round(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The whole part of `x + 0.5`, or of `x - 0.5` below zero; `x` itself where its exponent says that it is whole, or
    no number."""
    (x,) = operands
    if element_type(x.type) != F32 or not has_constants(x.type):
        return Failure("not a round of f32.")
    bits_type = _integers(x.type, 32)
    half = number(rewriter, 0.5, x.type)
    mantissa, bias, exponents = (constant(rewriter, value, bits_type) for value in (23, 127, 0xFF))
    moved = binary(rewriter, "addf", x, function(rewriter, "copysign", half, x))
    whole = _truncated(rewriter, moved)
    shifted = binary(rewriter, "shrui", _cast(rewriter, "bitcast", x, bits_type), mantissa)
    exponent = binary(rewriter, "subi", binary(rewriter, "andi", shifted, exponents), bias)
    is_whole = compare(rewriter, "sge", exponent, mantissa)
    rewriter.replace(op, [select(rewriter, is_whole, x, whole)])
    return None


def expand_round_to_even(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`round(x)`, less its sign where `x` lies between two whole numbers and that is the odd one; found out by bits."""
    (x,) = operands
    element = element_type(x.type)
    mantissa = SEMANTICS[element.name].mantissa if isinstance(element, FloatType) else 0
    if not isinstance(element, FloatType) or mantissa == 0 or not has_constants(x.type):
        return Failure("not a roundeven of f16 or f32.")
    width = element.width
    type = _integers(x.type, width)
    one_float = number(rewriter, 1.0, x.type)
    top = 1 << (width - mantissa - 2)
    numbers = (0, 1, -1, mantissa, width - 1, top - 1, 1 << (mantissa - 1), (1 << mantissa) - 1, 2 * top - 1)
    zero, one, minus_one, shift, last, bias, highest, below, exponents = (
        constant(rewriter, value, type) for value in numbers
    )

    def exponent_of(bits: Value) -> Value:
        biased = binary(rewriter, "andi", binary(rewriter, "shrui", bits, shift), exponents)
        return binary(rewriter, "subi", biased, bias)

    def shifted_right(value: Value, count: Value) -> Value:
        """By as many places as there can be."""
        count = binary(rewriter, "minsi", binary(rewriter, "maxsi", count, zero), last)
        return binary(rewriter, "shrui", value, count)

    def fraction_of(bits: Value, count: Value) -> Value:
        return binary(rewriter, "andi", bits, shifted_right(below, count))

    bits = _cast(rewriter, "bitcast", x, type)
    rounded = function(rewriter, "round", x)
    rounded_bits = _cast(rewriter, "bitcast", rounded, type)
    exponent, rounded_exponent = exponent_of(bits), exponent_of(rounded_bits)

    is_one = compare(rewriter, "eq", rounded_exponent, zero)
    fraction = fraction_of(rounded_bits, binary(rewriter, "subi", rounded_exponent, one))
    is_odd = binary(rewriter, "ori", compare(rewriter, "ne", fraction, zero), is_one)

    is_half = compare(rewriter, "eq", exponent, minus_one)
    wanted = select(rewriter, is_half, zero, shifted_right(highest, exponent))
    is_between = compare(rewriter, "eq", fraction_of(bits, exponent), wanted)
    has_whole = compare(rewriter, "sge", exponent, minus_one)
    has_fraction = compare(rewriter, "slt", exponent, shift)
    is_between = binary(rewriter, "andi", is_between, has_fraction)
    is_between = binary(rewriter, "andi", is_between, has_whole)

    sign = function(rewriter, "copysign", one_float, x)
    other = binary(rewriter, "subf", rounded, sign)
    even = select(rewriter, binary(rewriter, "andi", is_odd, is_between), other, rounded)
    rewriter.replace(op, [function(rewriter, "copysign", even, x)])
    return None


PATTERNS: Final = (
    expansion("ceil", _ceil),
    Pattern("math.round", expand_round, name="convertRoundOp"),
    Pattern("math.roundeven", expand_round_to_even, name="convertRoundEvenOp"),
)
