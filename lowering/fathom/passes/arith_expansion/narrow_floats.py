"""Casts between f32 and floats that hardware often lacks (bf16, f8E8M0FNU, f4E2M1FN), by arithmetic on their bits.

    %0 = arith.extf %a : bf16 to f32      ->      %1 = arith.bitcast %a : bf16 to i16
                                                  %2 = arith.extui %1 : i16 to i32
                                                  %3 = arith.shli %2, 16
                                                  %0 = arith.bitcast %3 : i32 to f32

Source of the rules: *Passes*, `-arith-expand`, and what mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.ir.floats import SEMANTICS
from fathom.ir.operation import Operation, Value
from fathom.ir.types import FloatType, Type, element_type
from fathom.passes.arith_expansion.building import F32, has_constants, integer_as, shaped_as, unary
from fathom.passes.arith_expansion.rounding_divisions import UNKNOWN_SHAPE
from fathom.passes.arith_expansion.scaling import SCALE, kept
from fathom.passes.arithmetic import binary, compare, compare_floats, constant, select
from fathom.records import record
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, Pattern

BF16: Final = FloatType("bf16")
F4: Final = FloatType("f4E2M1FN")
SIX: Final = 0x40C00000
"""The bits of the greatest float of four bits, as an f32."""
MINUS_SIX: Final = 0xC0C00000
MANTISSA: Final = 23
"""How many bits of an f32 are its mantissa."""


def is_extension(op: Operation, source: FloatType, target: FloatType | None = None) -> bool:
    """Whether a cast goes from one type to another, or to any; of scalars or of elements."""
    element, result = element_type(op.operands[0].type), element_type(op.result.type)
    return element == source and target in (None, result)


def is_truncation(op: Operation, target: FloatType, source: FloatType | None = None) -> bool:
    """Whether a cast goes to one type from another, or from any."""
    element, result = element_type(op.operands[0].type), element_type(op.result.type)
    return result == target and source in (None, element)


def _width(type: Type) -> int:
    element = element_type(type)
    return SEMANTICS[element.name].width if isinstance(element, FloatType) else 0


class _Bits:
    """Makes operations on the bits of the operand of a cast, in its shape."""

    def __init__(self, op: Operation, rewriter: ConversionRewriter) -> None:
        self.rewriter = rewriter
        self.shape = op.operands[0].type

    def integer(self, width: int) -> Type:
        return integer_as(self.shape, width)

    def number(self, width: int, value: int) -> Value:
        return constant(self.rewriter, value, self.integer(width))

    def binary(self, name: str, lhs: Value, rhs: Value) -> Value:
        return binary(self.rewriter, name, lhs, rhs)

    def cast(self, name: str, value: Value, type: Type) -> Value:
        return unary(self.rewriter, name, value, type)

    def compare(self, predicate: str, lhs: Value, rhs: Value) -> Value:
        return compare(self.rewriter, predicate, lhs, rhs)

    def select(self, condition: Value, true: Value, false: Value) -> Value:
        return select(self.rewriter, condition, true, false)


# ---- bf16: the upper half of an f32


def extend_bf16(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The bits become the upper half."""
    if not is_extension(op, BF16, F32):
        return Failure("not a ext of bf16 to f32.")
    if not has_constants(op.result.type):
        return UNKNOWN_SHAPE
    b = _Bits(op, rewriter)
    half = b.cast("bitcast", operands[0], b.integer(16))
    whole = b.cast("extui", half, b.integer(32))
    moved = b.binary("shli", whole, b.number(32, 16))
    rewriter.replace(op, [b.cast("bitcast", moved, op.result.type)])
    return None


def truncate_to_bf16(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """What is added before the lower half is dropped rounds to the nearest, to even where two are as near; it may carry
    into the exponent, as it should. A NaN becomes a quiet one."""
    if not is_truncation(op, BF16, F32):
        return Failure("not a trunc of f32 to bf16.")
    if "roundingmode" in op.properties:
        return Failure("only applicable to default rounding mode.")
    if not has_constants(op.result.type):
        return UNKNOWN_SHAPE
    b = _Bits(op, rewriter)
    is_nan = compare_floats(rewriter, "une", operands[0], operands[0])
    below_half = b.number(32, 0x7FFF)
    quiet_nan = b.number(16, 0x7FC0)
    sixteen = b.number(32, 16)
    one = b.number(32, 1)
    bits = b.cast("bitcast", operands[0], b.integer(32))
    last = b.binary("andi", b.binary("shrui", bits, sixteen), one)
    rounded = b.binary("addi", bits, b.binary("addi", last, below_half))
    half = b.cast("trunci", b.binary("shrui", rounded, sixteen), b.integer(16))
    rewriter.replace(op, [b.cast("bitcast", b.select(is_nan, quiet_nan, half), op.result.type)])
    return None


# ---- f8E8M0FNU: the exponent of an f32


def extend_scale(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The bits become the exponent; those that are all ones are NaN."""
    if not is_extension(op, SCALE):
        return Failure("not a ext of F8E8M0FNU")
    if not has_constants(op.result.type):
        return UNKNOWN_SHAPE
    b = _Bits(op, rewriter)
    bits = b.cast("bitcast", operands[0], b.integer(8))
    nan = b.number(8, 0xFF)
    wide_nan = b.number(32, 0xFFFFFFFF)
    mantissa = b.number(32, MANTISSA)
    exponent = b.binary("shli", b.cast("extui", bits, b.integer(32)), mantissa)
    chosen = b.select(b.compare("eq", bits, nan), wide_nan, exponent)
    wide = b.cast("bitcast", chosen, shaped_as(b.shape, F32))
    width = _width(op.result.type)
    if width != 32:
        name = "truncf" if width < 32 else "extf"
        wide = unary(rewriter, name, wide, op.result.type, kept(op, "fastmath"))
    rewriter.replace(op, [wide])
    return None


def truncate_to_scale(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """What is left is the exponent."""
    if not is_truncation(op, SCALE):
        return Failure("not a truncf to f8E8M0FNU")
    if "roundingmode" in op.properties:
        return Failure("only applicable to default rounding mode.")
    if not has_constants(op.result.type):
        return UNKNOWN_SHAPE
    b = _Bits(op, rewriter)
    value = operands[0]
    width = _width(value.type)
    if width != 32:
        name = "extf" if width < 32 else "truncf"
        value = unary(rewriter, name, value, shaped_as(b.shape, F32), kept(op, "fastmath"))
    bits = b.cast("bitcast", value, b.integer(32))
    exponent = b.binary("shrui", bits, b.number(32, MANTISSA))
    rewriter.replace(op, [b.cast("bitcast", b.cast("trunci", exponent, b.integer(8)), op.result.type)])
    return None


# ---- f4E2M1FN: a sign, two bits of exponent, and one of mantissa


def extend_f4(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The bits without the sign become the last of the exponent and the first of the mantissa, but for 0.5, which has
    its own exponent; those of the exponent before them say whether it is 2 or more, less, or zero."""
    if not is_extension(op, F4):
        return Failure("not a ext of F4E2M1FN")
    if not has_constants(op.result.type):
        return UNKNOWN_SHAPE
    b = _Bits(op, rewriter)
    bits = b.cast("bitcast", operands[0], b.integer(4))
    zero, one, two, four, seven = (b.number(4, number) for number in (0, 1, 2, 4, 7))
    magnitude = b.binary("andi", bits, seven)

    twenty = b.number(32, 20)
    low = b.binary("shli", magnitude, two)
    low = b.select(b.compare("eq", magnitude, one), zero, low)
    low = b.binary("shli", b.cast("extui", low, b.integer(32)), twenty)

    no_exponent, large, small = (b.number(32, number) for number in (0, 0x40000000, 0x3F000000))
    high = b.select(b.compare("uge", magnitude, four), large, small)
    high = b.select(b.compare("eq", magnitude, zero), no_exponent, high)

    sign_bit = b.number(32, 0x80000000)
    eight = b.number(4, 8)
    sign = b.select(b.compare("uge", bits, eight), sign_bit, no_exponent)

    whole = b.binary("addi", b.binary("addi", low, high), sign)
    wide = b.cast("bitcast", whole, shaped_as(b.shape, F32))
    if element_type(op.result.type) != F32:
        wide = b.cast("truncf", wide, op.result.type)
    rewriter.replace(op, [wide])
    return None


def truncate_to_f4(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The value is kept between -6 and 6; its bits are put together, and one is added where the rest asks for it. What
    lies around 0.5 has an exponent that does not fit."""
    if not is_truncation(op, F4):
        return Failure("not a trunc of F4E2M1FN")
    if not has_constants(op.result.type):
        return UNKNOWN_SHAPE
    b = _Bits(op, rewriter)
    f32 = shaped_as(b.shape, F32)
    value = operands[0] if element_type(b.shape) == F32 else b.cast("extf", operands[0], f32)
    one, three = b.number(4, 1), b.number(4, 3)
    twenty_two = b.number(32, 22)
    zero, all_ones = b.number(8, 0), b.number(8, 0xFF)
    no_mantissa = b.number(32, 0)

    highest, lowest = constant(rewriter, SIX, f32), constant(rewriter, MINUS_SIX, f32)
    clamped = b.binary("maxnumf", lowest, b.binary("minnumf", highest, value))
    bits = b.cast("bitcast", clamped, b.integer(32))

    sign = b.binary("shrui", bits, b.number(32, 31))
    narrow = b.binary("shli", b.cast("trunci", sign, b.integer(4)), three)

    bias = b.number(32, 0x7E)
    mantissa = b.number(32, MANTISSA)
    exponent = b.binary("subi", b.binary("shrui", bits, mantissa), bias)
    narrow_exponent = b.binary("shli", b.cast("trunci", exponent, b.integer(4)), one)
    narrow = b.binary("addi", narrow, narrow_exponent)

    first_bit = b.binary("andi", bits, b.number(32, 0x400000))
    first_bit = b.binary("shrui", first_bit, twenty_two)
    narrow = b.binary("addi", narrow, b.cast("trunci", first_bit, b.integer(4)))

    mantissa_mask = b.number(32, 0x7FFFFF)
    byte = b.cast("trunci", exponent, b.integer(8))
    is_small = b.compare("sle", byte, zero)
    is_below = b.compare("eq", byte, all_ones)
    rest = b.binary("andi", bits, mantissa_mask)
    to_half = b.binary("andi", is_below, b.compare("ugt", rest, no_mantissa))
    is_zero = b.compare("eq", byte, zero)
    ones, none = b.number(4, 0xF), b.number(4, 0)
    small = b.select(is_small, ones, narrow)
    small = b.select(to_half, none, small)
    narrow = b.select(is_zero, narrow, small)

    last_bits = b.number(32, 0x3FFFFF)
    half = b.number(32, 0x200000)
    rounds = b.compare("uge", b.binary("andi", bits, last_bits), half)
    rounds = b.binary("ori", rounds, is_small)
    narrow = b.select(rounds, b.binary("addi", narrow, one), narrow)
    rewriter.replace(op, [b.cast("bitcast", narrow, op.result.type)])
    return None


@record
class Expansion:
    """How the casts of a type are expanded, and which of its extensions and truncations these are."""

    patterns: tuple[Pattern, ...]
    extends: Callable[[Operation], bool]
    truncates: Callable[[Operation], bool]


EXPAND_BF16: Final = Expansion(
    (
        Pattern("arith.extf", extend_bf16, name="BFloat16ExtFOpConverter"),
        Pattern("arith.truncf", truncate_to_bf16, name="BFloat16TruncFOpConverter"),
    ),
    lambda op: is_extension(op, BF16, F32),
    lambda op: is_truncation(op, BF16, F32),
)
EXPAND_SCALE: Final = Expansion(
    (
        Pattern("arith.extf", extend_scale, name="F8E8M0ExtFOpConverter"),
        Pattern("arith.truncf", truncate_to_scale, name="F8E8M0TruncFOpConverter"),
    ),
    lambda op: is_extension(op, SCALE),
    lambda op: is_truncation(op, SCALE),
)
EXPAND_F4: Final = Expansion(
    (
        Pattern("arith.extf", extend_f4, name="F4E2M1ExtFOpConverter"),
        Pattern("arith.truncf", truncate_to_f4, name="F4E2M1TruncFOpConverter"),
    ),
    lambda op: is_extension(op, F4),
    lambda op: is_truncation(op, F4),
)
