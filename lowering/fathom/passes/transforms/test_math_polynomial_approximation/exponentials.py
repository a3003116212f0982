"""Exponentials and logarithms. Each says what it computes; the operations and their order are those of mlir-opt 22."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from fathom.ir.types import F32, I32
from fathom.passes.arithmetic import constant
from fathom.passes.transforms.test_math_polynomial_approximation.building import (
    BIAS,
    HALF,
    INFINITY,
    MINUS_INFINITY,
    NAN,
    SMALLEST_NORMAL,
    approximation,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Value
    from fathom.passes.transforms.test_math_polynomial_approximation.building import Formula


def _tanh(f: Formula, operands: Sequence[Value]) -> Value:
    """A quotient of polynomials in `x²`, times `x`; `x` itself where it is tiny."""
    (operand,) = operands
    least, most = f.numbers((-7.99881172180175781, 7.99881172180175781))
    x = f.chosen("ugt", f.chosen("ult", operand, most), least)
    tiny = f.number(0.0004)
    is_tiny = f.compare("olt", f.math("absf", operand), tiny)
    upper, lower = f.numbers(_TANH_UPPER), f.numbers(_TANH_LOWER)
    squared = f.mul(x, x)
    dividend = f.mul(x, f.polynomial(squared, upper[::-1]))
    divisor = f.polynomial(squared, lower[::-1])
    return f.select(is_tiny, x, f.div(dividend, divisor))


_TANH_UPPER: Final = (
    4.89352455891786e-03,
    6.37261928875436e-04,
    1.48572235717979e-05,
    5.12229709037114e-08,
    -8.60467152213735e-11,
    2.00018790482477e-13,
    -2.76076847742355e-16,
)
_TANH_LOWER: Final = (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)
"""Coefficients of the powers of `x²`, the lowest first."""


# ---- logarithms


def _fraction_and_exponent(f: Formula, x: Value) -> tuple[Value, Value]:
    """Of a positive number: a float in [0.5, 1), and the power of two that it is multiplied by, as a float."""
    bias = constant(f.rewriter, BIAS, F32)
    half = f.create("arith.bitcast", I32, constant(f.rewriter, HALF, F32))
    mask = f.create("arith.bitcast", I32, f.scalar_of_bits(~0x7F800000 & 0xFFFFFFFF))
    bits = f.as_bits(x)
    fraction = f.as_floats(f.binary("ori", f.binary("andi", bits, f.everywhere(mask)), f.everywhere(half)))
    exponent = f.binary("shrui", f.as_bits(x), f.integer(23))
    biased = f.create("arith.sitofp", f.type, exponent)
    return fraction, f.sub(biased, f.everywhere(bias))


_LOG: Final = (
    7.0376836292e-2,
    -1.1514610310e-1,
    1.1676998740e-1,
    -1.2420140846e-1,
    1.4249322787e-1,
    -1.6668057665e-1,
    2.0000714765e-1,
    -2.4999993993e-1,
    3.3333331174e-1,
)


def _log(base_two: bool) -> Callable[[Formula, Sequence[Value]], Value]:
    """The exponent, and a polynomial of degree 8 in the fraction, moved to [sqrt(1/2), sqrt(2)) and by -1; -∞ of zero
    and NaN of what is below."""

    def formula(f: Formula, operands: Sequence[Value]) -> Value:
        (operand,) = operands
        zero, one, minus_half = f.numbers((0.0, 1.0, -0.5))
        least, below, above, nan = map(f.of_bits, (SMALLEST_NORMAL, MINUS_INFINITY, INFINITY, NAN))
        root, *p = f.numbers((0.707106781186547524, *_LOG))
        x, e = _fraction_and_exponent(f, f.chosen("ugt", operand, least))
        is_below = f.compare("olt", x, root)
        again = f.select(is_below, x, zero)
        x = f.sub(x, one)
        e = f.sub(e, f.select(is_below, one, zero))
        x = f.add(x, again)
        squared = f.mul(x, x)
        cubed = f.mul(squared, x)
        # The polynomial in three parts.
        parts = [f.fma(p[i], x, p[i + 1]) for i in (0, 3, 6)]
        first, second, third = (f.fma(part, x, p[3 * i + 2]) for i, part in enumerate(parts))
        y = f.fma(first, cubed, second)
        y = f.mul(f.fma(y, cubed, third), cubed)
        y = f.fma(minus_half, squared, y)
        x = f.add(x, y)
        x = f.fma(x, f.number(1 / math.log(2)), e) if base_two else f.fma(e, f.number(math.log(2)), x)
        is_invalid = f.compare("ult", operand, zero)
        is_zero = f.compare("oeq", operand, zero)
        is_infinite = f.compare("oeq", operand, above)
        return f.select(is_zero, below, f.select(is_invalid, nan, f.select(is_infinite, above, x)))

    return formula


def _log1p(f: Formula, operands: Sequence[Value]) -> Value:
    """With `u = 1 + x`: `x * (log(u) / (u - 1))`, or `x` where `u` is 1 or infinite."""
    one = f.number(1.0)
    (x,) = operands
    u = f.add(x, one)
    is_small = f.compare("oeq", u, one)
    logarithm = f.math("log", u)
    is_infinite = f.compare("oeq", u, logarithm)
    large = f.mul(x, f.div(logarithm, f.sub(u, one)))
    return f.select(f.binary("ori", is_small, is_infinite), x, large)


# ---- exponentials


def _within(f: Formula, x: Value, least: float, most: float) -> Value:
    """The nearest number that is within bounds."""
    return f.chosen("ule", f.chosen("uge", x, f.number(least)), f.number(most))


_EXP: Final = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)


def _exp(f: Formula, operands: Sequence[Value]) -> Value:
    """A power of two, times a polynomial in what remains of `x`, which is at most `log(2) / 2`."""
    (x,) = operands
    half, one, per_log, high, low = f.numbers((0.5, 1.0, 1.44269504088896341, -0.693359375, 2.12194440e-4))
    p = f.numbers(_EXP)
    x = _within(f, x, -87.8, 88.8)
    n = f.math("floor", f.fma(x, per_log, half))
    n = _within(f, n, -127.0, 127.0)
    x = f.fma(low, n, f.fma(high, n, x))
    z = f.fma(x, p[0], p[1])
    for coefficient in p[2:]:
        z = f.fma(z, x, coefficient)
    z = f.add(one, f.fma(z, f.mul(x, x), x))
    exponent = f.create("arith.fptosi", f.integers, n)
    place, bias = f.integer(23), f.integer(127)
    power = f.as_floats(f.binary("shli", f.binary("addi", exponent, bias), place))
    return f.mul(z, power)


def _expm1(f: Formula, operands: Sequence[Value]) -> Value:
    """With `u = exp(x)`: `(u - 1) * (x / log(u))`, with care near `u = 1`, `u = 0` and infinity."""
    (x,) = operands
    one, minus_one = f.numbers((1.0, -1.0))
    u = f.math("exp", x)
    is_one = f.compare("ueq", u, one)
    less = f.sub(u, one)
    is_least = f.compare("oeq", less, minus_one)
    logarithm = f.math("log", u)
    is_infinite = f.compare("oeq", logarithm, u)
    whole = f.select(is_infinite, u, f.mul(less, f.div(x, logarithm)))
    return f.select(is_one, x, f.select(is_least, minus_one, whole))


PATTERNS: Final = (
    approximation("exp", _exp, "ExpApproximation"),
    approximation("expm1", _expm1, "ExpM1Approximation"),
    approximation("log", _log(False), "LogApproximation"),
    approximation("log2", _log(True), "Log2Approximation"),
    approximation("log1p", _log1p, "Log1pApproximation"),
    approximation("tanh", _tanh, "TanhApproximation"),
)
