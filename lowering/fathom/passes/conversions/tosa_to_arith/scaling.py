"""`tosa.apply_scale` as integer arithmetic: the product of a value and a multiplier, shifted right and rounded.

With 64 bits it is written as it is defined. With 32 bits the product has a low and a high half, and what rounding adds
to the one carries into the other. Source of the rules: *TOSA specification*, "apply_scale", and the order of the
operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.arith.elements import width_of
from fathom.irdl.cases import word
from fathom.passes.arith_expansion.building import has_constants, integer_as, unary
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.tosa import ApplyScaleOp
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def patterns(*, use_32_bit: bool) -> list[Pattern]:
    """That with 32 bits is tried first, where it is to be used."""
    wide = Pattern("tosa.apply_scale", _with_64_bits, benefit=100, name="ApplyScaleGenericOpConverter")
    narrow = Pattern("tosa.apply_scale", _with_32_bits, benefit=200, name="ApplyScale32BitOpConverter")
    return [narrow, wide] if use_32_bit else [wide]


def _is_written(op: ApplyScaleOp) -> bool:
    """Whether arithmetic rounds as the operation does."""
    return word(op, "rounding_mode") != "INEXACT_ROUND" and has_constants(op.output.type)


def _rounds_twice(op: ApplyScaleOp) -> bool:
    return word(op, "rounding_mode") == "DOUBLE_ROUND"


def _with_64_bits(op: ApplyScaleOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Half of what is shifted away is added first; where it is rounded twice, half of 31 bits, away from zero."""
    if not _is_written(op):
        return NO_MATCH
    i32, i64 = integer_as(op.output.type, 32), integer_as(op.output.type, 64)
    zero = constant(rewriter, 0, op.value.type)
    one = constant(rewriter, 1, i64)
    most = constant(rewriter, 31, i32)
    shift = unary(rewriter, "extui", op.shift, i32)
    value = op.value if op.value.type == i64 else unary(rewriter, "extsi", op.value, i64)
    product = binary(rewriter, "muli", value, unary(rewriter, "extsi", op.multiplier, i64))
    wide_shift = unary(rewriter, "extui", shift, i64)
    half = binary(rewriter, "shrui", binary(rewriter, "shli", one, wide_shift), one)
    rounded = binary(rewriter, "addi", product, half)
    if _rounds_twice(op):
        up, down = (constant(rewriter, number, i64) for number in (1 << 30, -(1 << 30)))
        away = select(rewriter, compare(rewriter, "sge", op.value, zero), up, down)
        twice = binary(rewriter, "addi", away, rounded)
        rounded = select(rewriter, compare(rewriter, "sgt", shift, most), twice, rounded)
    rewriter.replace(op, [unary(rewriter, "trunci", binary(rewriter, "shrsi", rounded, wide_shift), i32)])
    return None


def _with_32_bits(op: ApplyScaleOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The same on the halves of the product."""
    if not _is_written(op) or width_of(op.value.type) > 32:
        return NO_MATCH
    halves = _Halves(op, rewriter)
    if _rounds_twice(op):
        halves.round_away_from_zero(op.value)
    halves.round_low()
    halves.round_high()
    result = halves.shifted()
    if width_of(op.output.type) != 32:
        result = unary(rewriter, "trunci", result, op.output.type)
    rewriter.replace(op, [result])
    return None


class _Halves:
    """The low and the high half of a product, to which rounding adds before it is shifted."""

    def __init__(self, op: ApplyScaleOp, rewriter: ConversionRewriter) -> None:
        self._rewriter = rewriter
        self._type = integer_as(op.output.type, 32)
        self._shift = self._cast("extui", op.shift)
        self._zero, self._one, self._two, self._30, self._32 = map(self._number, (0, 1, 2, 30, 32))
        product = rewriter.create("arith.mulsi_extended", [op.value, op.multiplier], [op.value.type] * 2)
        self._low, self._high = product.results
        self._is_over = compare(rewriter, "sge", self._shift, self._32)
        self._rounds_high = compare(rewriter, "sgt", self._shift, self._32)
        left = self._make("subi", self._32, self._shift)
        right = self._make("subi", self._shift, self._32)
        self._left = select(rewriter, self._is_over, self._zero, left)
        self._right = select(rewriter, self._is_over, right, self._zero)

    def _number(self, value: int) -> Value:
        return constant(self._rewriter, value, self._type)

    def _cast(self, name: str, value: Value) -> Value:
        return unary(self._rewriter, name, value, self._type)

    def _make(self, name: str, lhs: Value, rhs: Value) -> Value:
        return binary(self._rewriter, name, lhs, rhs)

    def round_away_from_zero(self, value: Value) -> None:
        """Half of 31 bits is added with the value's sign, where so much is shifted."""
        rewriter = self._rewriter
        minus_one = self._number(-1)
        is_positive = compare(rewriter, "sge", value, self._zero)
        direction = select(rewriter, is_positive, self._one, minus_one)
        direction = select(rewriter, self._is_over, direction, self._zero)
        top = self._make("addi", self._make("shrui", self._low, self._30), direction)
        carry = self._make("shrsi", top, self._two)
        self._low = self._make("addi", self._low, self._make("shli", direction, self._30))
        self._high = self._make("addi", self._high, carry)

    def round_low(self) -> None:
        """Half of what is shifted away of the low half is added, with a carry."""
        rewriter = self._rewriter
        half = self._make("shli", self._one, self._make("subi", self._shift, self._one))
        half = select(rewriter, self._rounds_high, self._zero, half)
        rounded = self._make("addi", self._low, half)
        has_wrapped = compare(rewriter, "ugt", self._low, rounded)
        self._low = rounded
        self._high = self._make("addi", self._high, self._cast("extui", has_wrapped))

    def round_high(self) -> None:
        """Half of what is shifted away of the high half is added, where that is any."""
        half = self._make("shli", self._one, self._make("subi", self._right, self._one))
        half = select(self._rewriter, self._rounds_high, half, self._zero)
        self._high = self._make("addi", self._high, half)

    def shifted(self) -> Value:
        """What is left of both."""
        high = self._make("shrsi", self._make("shli", self._high, self._left), self._right)
        low = self._make("shrui", self._low, self._shift)
        return self._make("addi", select(self._rewriter, self._is_over, self._zero, low), high)
