"""One number as another element type has it, as `tosa.cast` converts what all elements are.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from fractions import Fraction

from fathom.dialects.arith.elements import as_signed, as_unsigned
from fathom.ir.float_arithmetic import convert_exactly
from fathom.ir.floats import from_fraction, infinity, is_infinity, is_nan, is_negative, to_fraction
from fathom.ir.types import FloatType, IntegerType, Type


def converted(value: int, source: Type, target: Type) -> int | None:
    """The number, or bit pattern of a float, in the other type; None where the cast is none of these."""
    match source, target:
        case FloatType(), FloatType():
            return _float_to_float(value, source, target)
        case IntegerType(), FloatType():
            return from_fraction(Fraction(_number(value, source)), target.name)
        case FloatType(), IntegerType():
            return _float_to_integer(value, source, target)
        case IntegerType(), IntegerType():
            return _integer_to_integer(value, source, target)
        case _:
            return None


def _number(value: int, type: IntegerType) -> int:
    return as_unsigned(value, type.width) if type.signedness == "u" else as_signed(value, type.width)


def _float_to_float(bits: int, source: FloatType, target: FloatType) -> int | None:
    """Rounded to the nearest, of two the even one."""
    if is_nan(bits, source.name):
        return convert_exactly(bits, source.name, target.name)
    if is_infinity(bits, source.name):
        return infinity(target.name, negative=is_negative(bits, source.name))
    return from_fraction(to_fraction(bits, source.name), target.name, negative_zero=is_negative(bits, source.name))


def _float_to_integer(bits: int, source: FloatType, target: IntegerType) -> int:
    """Rounded likewise; what is too large is the nearest number that there is, and no number is zero."""
    signed = target.signedness != "u"
    low = -(1 << (target.width - 1)) if signed else 0
    high = (1 << (target.width - signed)) - 1
    if is_nan(bits, source.name):
        return 0
    if is_infinity(bits, source.name):
        return low if is_negative(bits, source.name) else high
    return min(max(round(to_fraction(bits, source.name)), low), high)


def _integer_to_integer(value: int, source: IntegerType, target: IntegerType) -> int:
    """An `i1` is a truth value."""
    if target.width == 1:
        return int(value != 0)
    return as_unsigned(value, 1) if source.width == 1 else _number(value, source)
