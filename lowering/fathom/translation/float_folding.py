"""Arithmetic and comparison of floats by bit pattern, in the type's own precision, rounded to nearest, ties to even.

Source of the rules: IEEE 754-2019; a NaN operand is passed on quiet, and an invalid operation gives the positive
quiet NaN.
"""

from __future__ import annotations

from fractions import Fraction

from fathom.ir.floats import (
    SEMANTICS,
    from_fraction,
    infinity,
    is_infinity,
    is_nan,
    is_negative,
    nan,
    to_fraction,
)


def negate(bits: int, name: str) -> int:
    return bits ^ 1 << (SEMANTICS[name].width - 1)


def quiet(bits: int, name: str) -> int:
    return bits | 1 << (SEMANTICS[name].mantissa - 1)


def convert(bits: int, source: str, target: str) -> int:
    """The value in another type; the payload of a NaN is kept as far as it fits."""
    if is_nan(bits, source):
        s, t = SEMANTICS[source], SEMANTICS[target]
        payload = bits & ((1 << s.mantissa) - 1)
        shift = t.mantissa - s.mantissa
        payload = payload << shift if shift >= 0 else payload >> -shift
        sign = int(is_negative(bits, source)) << (t.width - 1)
        return quiet(infinity(target) | payload, target) | sign
    if is_infinity(bits, source):
        return infinity(target, negative=is_negative(bits, source))
    return from_fraction(to_fraction(bits, source), target, negative_zero=is_negative(bits, source))


def arithmetic(op: str, a: int, b: int, name: str) -> int:
    """`fadd`, `fsub`, `fmul`, `fdiv` and `frem` (the remainder of a division that truncates)."""
    for operand in (a, b):
        if is_nan(operand, name):
            return quiet(operand, name)
    if op == "fsub":
        return arithmetic("fadd", a, negate(b, name), name)
    if is_infinity(a, name) or is_infinity(b, name):
        return _with_infinity(op, a, b, name)
    x, y = to_fraction(a, name), to_fraction(b, name)
    differ = is_negative(a, name) != is_negative(b, name)
    if op == "fadd":
        return from_fraction(x + y, name, negative_zero=is_negative(a, name) and not differ)
    if op == "fmul":
        return from_fraction(x * y, name, negative_zero=differ)
    if y == 0:
        return nan(name) if x == 0 or op == "frem" else infinity(name, negative=differ)
    if op == "fdiv":
        return from_fraction(x / y, name, negative_zero=differ)
    return from_fraction(x - y * _truncate(x / y), name, negative_zero=is_negative(a, name))


def _truncate(value: Fraction) -> int:
    return int(value)


def _with_infinity(op: str, a: int, b: int, name: str) -> int:
    both = is_infinity(a, name) and is_infinity(b, name)
    differ = is_negative(a, name) != is_negative(b, name)
    if op == "fadd":
        return nan(name) if both and differ else a if is_infinity(a, name) else b
    if op == "fmul":
        other = b if is_infinity(a, name) else a
        return nan(name) if is_zero(other, name) else infinity(name, negative=differ)
    if is_infinity(a, name):
        return nan(name) if both or op == "frem" else infinity(name, negative=differ)
    return a if op == "frem" else from_fraction(Fraction(0), name, negative_zero=differ)


def is_zero(bits: int, name: str) -> bool:
    return not is_infinity(bits, name) and not is_nan(bits, name) and to_fraction(bits, name) == 0


def is_subnormal(bits: int, name: str) -> bool:
    """Whether the value is closer to zero than any normal one, and not zero."""
    if is_nan(bits, name) or is_infinity(bits, name):
        return False
    value = abs(to_fraction(bits, name))
    return 0 < value < Fraction(2) ** SEMANTICS[name].minimum_exponent


def compare(conditions: int, a: int, b: int, name: str) -> bool:
    """An `fcmp`; the bits of `conditions` are, from the lowest, equal, greater, less, unordered."""
    if is_nan(a, name) or is_nan(b, name):
        return bool(conditions & 8)
    x, y = _ordered(a, name), _ordered(b, name)
    return bool(conditions & (1 if x == y else 2 if x > y else 4))


def _ordered(bits: int, name: str) -> Fraction:
    if is_infinity(bits, name):
        beyond = Fraction(2) ** (SEMANTICS[name].bias + 2)
        return -beyond if is_negative(bits, name) else beyond
    return to_fraction(bits, name)
