"""Arithmetic on floating-point bit patterns: exact, then rounded to nearest, ties to even.

Every function takes patterns of one type, named as in `fathom.ir.floats`. Source of the rules: IEEE 754-2019.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.floats import (
    SEMANTICS,
    from_fraction,
    from_ratio,
    infinity,
    is_infinity,
    is_nan,
    is_negative,
    nan,
    to_fraction,
)

if TYPE_CHECKING:
    from fractions import Fraction


def is_zero(bits: int, name: str) -> bool:
    return not is_nan(bits, name) and not is_infinity(bits, name) and to_fraction(bits, name) == 0


def is_signaling(bits: int, name: str) -> bool:
    """Whether a pattern is a NaN whose quiet bit is not set."""
    return is_nan(bits, name) and SEMANTICS[name].special == "ieee" and not bits >> (SEMANTICS[name].mantissa - 1) & 1


def quiet(bits: int, name: str) -> int:
    """A NaN with its quiet bit set."""
    s = SEMANTICS[name]
    return bits | 1 << (s.mantissa - 1) if s.special == "ieee" else bits


def zero(name: str, *, negative: bool) -> int:
    """The pattern of zero; a type without a negative zero has the one."""
    return from_ratio(0, 1, name, negative=negative)


def negate(bits: int, name: str) -> int:
    """The value with its sign flipped, NaN too; a type without a negative zero keeps its zero and its NaN."""
    s = SEMANTICS[name]
    if not s.signed or (s.special == "fnuz" and bits in (0, 1 << (s.width - 1))):
        return bits
    return bits ^ 1 << (s.width - 1)


def _nan_operand(a: int, b: int, name: str) -> int | None:
    if is_nan(a, name):
        return quiet(a, name)
    return quiet(b, name) if is_nan(b, name) else None


def add(a: int, b: int, name: str) -> int:
    """The sum; that of opposite infinities is NaN."""
    operand = _nan_operand(a, b, name)
    if operand is not None:
        return operand
    if is_infinity(a, name) or is_infinity(b, name):
        opposite = is_infinity(a, name) and is_infinity(b, name) and a != b
        return nan(name) if opposite else (a if is_infinity(a, name) else b)
    negative = is_negative(a, name) and is_negative(b, name)
    return from_fraction(to_fraction(a, name) + to_fraction(b, name), name, negative_zero=negative)


def subtract(a: int, b: int, name: str) -> int:
    operand = _nan_operand(a, b, name)
    return add(a, negate(b, name), name) if operand is None else operand


def multiply(a: int, b: int, name: str) -> int:
    """The product; that of zero and an infinity is NaN."""
    operand = _nan_operand(a, b, name)
    if operand is not None:
        return operand
    negative = is_negative(a, name) != is_negative(b, name)
    if is_infinity(a, name) or is_infinity(b, name):
        return nan(name) if is_zero(a, name) or is_zero(b, name) else infinity(name, negative=negative)
    return from_fraction(to_fraction(a, name) * to_fraction(b, name), name, negative_zero=negative)


def divide(a: int, b: int, name: str) -> int:
    """The quotient; 0 by 0 and infinity by infinity are NaN, other divisions by zero are infinite."""
    operand = _nan_operand(a, b, name)
    if operand is not None:
        return operand
    negative = is_negative(a, name) != is_negative(b, name)
    if is_infinity(a, name):
        return nan(name) if is_infinity(b, name) else infinity(name, negative=negative)
    if is_infinity(b, name):
        return zero(name, negative=negative)
    if is_zero(b, name):
        return nan(name) if is_zero(a, name) else infinity(name, negative=negative)
    return from_fraction(to_fraction(a, name) / to_fraction(b, name), name, negative_zero=negative)


def remainder(a: int, b: int, name: str) -> int:
    """What is left of `a` after division by `b`, rounded towards zero; it has the sign of `a`."""
    operand = _nan_operand(a, b, name)
    if operand is not None:
        return operand
    if is_infinity(a, name) or is_zero(b, name):
        return nan(name)
    if is_infinity(b, name):
        return a
    x, y = to_fraction(a, name), to_fraction(b, name)
    quotient = x / y
    truncated = (
        quotient.numerator // quotient.denominator if quotient >= 0 else -(-quotient.numerator // quotient.denominator)
    )
    return from_fraction(x - truncated * y, name, negative_zero=is_negative(a, name))


def compare(a: int, b: int, name: str) -> int | None:
    """Negative, 0 or positive as `a` is less than, equal to or greater than `b`; None when one of them is NaN."""
    if is_nan(a, name) or is_nan(b, name):
        return None
    x, y = _rank(a, name), _rank(b, name)
    return (x > y) - (x < y)


def _rank(bits: int, name: str) -> tuple[int, Fraction | int]:
    if is_infinity(bits, name):
        return (-1 if is_negative(bits, name) else 1), 0
    return 0, to_fraction(bits, name)


def maximum(a: int, b: int, name: str) -> int:
    """The greater; NaN if either is, and -0 is less than +0."""
    operand = _nan_operand(a, b, name)
    return operand if operand is not None else _greater(a, b, name)


def minimum(a: int, b: int, name: str) -> int:
    """The lesser; NaN if either is, and -0 is less than +0."""
    operand = _nan_operand(a, b, name)
    return operand if operand is not None else _lesser(a, b, name)


def maxnum(a: int, b: int, name: str) -> int:
    """The greater; the number, when one is a quiet NaN."""
    chosen = _number_operand(a, b, name)
    return chosen if chosen is not None else _greater(a, b, name)


def minnum(a: int, b: int, name: str) -> int:
    """The lesser; the number, when one is a quiet NaN."""
    chosen = _number_operand(a, b, name)
    return chosen if chosen is not None else _lesser(a, b, name)


def _number_operand(a: int, b: int, name: str) -> int | None:
    if is_signaling(a, name):
        return quiet(a, name)
    if is_signaling(b, name):
        return quiet(b, name)
    if is_nan(a, name):
        return b
    return a if is_nan(b, name) else None


def _greater(a: int, b: int, name: str) -> int:
    order = compare(a, b, name)
    if order == 0:
        return b if is_negative(a, name) else a
    return b if order is not None and order < 0 else a


def _lesser(a: int, b: int, name: str) -> int:
    order = compare(a, b, name)
    if order == 0:
        return a if is_negative(a, name) else b
    return a if order is not None and order < 0 else b


def convert_exactly(bits: int, source: str, target: str) -> int | None:
    """The same value in another type, or None if something of it would be lost."""
    s, t = SEMANTICS[source], SEMANTICS[target]
    if is_nan(bits, source):
        return _convert_nan(bits, source, target)
    if is_infinity(bits, source):
        return infinity(target, negative=is_negative(bits, source)) if t.special == "ieee" else None
    value, negative = to_fraction(bits, source), is_negative(bits, source)
    if negative and (not t.signed or (value == 0 and t.special == "fnuz")):
        return None
    if s is t:
        return bits
    result = from_fraction(value, target, negative_zero=negative)
    if is_nan(result, target) or is_infinity(result, target) or to_fraction(result, target) != value:
        return None
    return result


def _convert_nan(bits: int, source: str, target: str) -> int | None:
    s, t = SEMANTICS[source], SEMANTICS[target]
    if s.special != "ieee" or t.special != "ieee" or is_signaling(bits, source):
        return None
    payload, shift = bits & ((1 << s.mantissa) - 1), t.mantissa - s.mantissa
    if shift < 0 and payload & ((1 << -shift) - 1):
        return None
    payload = payload << shift if shift >= 0 else payload >> -shift
    return infinity(target, negative=is_negative(bits, source)) | payload


def to_integer(bits: int, name: str) -> int | None:
    """The value rounded towards zero, or None for what is no number."""
    if is_nan(bits, name) or is_infinity(bits, name):
        return None
    value = to_fraction(bits, name)
    return abs(value.numerator) // value.denominator * (-1 if value < 0 else 1)
