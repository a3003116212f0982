"""Inverse trigonometric functions. Each says what it computes; the operations and their order are those of mlir-opt
22."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, Final

from fathom.passes.transforms.test_math_polynomial_approximation.building import NAN, approximation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.passes.transforms.test_math_polynomial_approximation.building import Formula


def _atan(f: Formula, operands: Sequence[Value]) -> Value:
    """A quotient of polynomials in `|x|` up to 0.66, in `(|x| - 1) / (|x| + 1)` to `tan(3π/8)`, else in `1 / |x|`."""
    (operand,) = operands
    magnitude = f.math("absf", operand)
    one, two_thirds = f.numbers((1.0, 0.66))
    is_middle = f.compare("ogt", magnitude, two_thirds)
    above, below = f.add(magnitude, one), f.sub(magnitude, one)
    dividend, divisor = f.select(is_middle, below, magnitude), f.select(is_middle, above, one)
    is_large = f.compare("ogt", magnitude, f.number(2.41421356237309504880))
    dividend, divisor = f.select(is_large, one, dividend), f.select(is_large, magnitude, divisor)
    x = f.div(dividend, divisor)
    squared = f.mul(x, x)
    upper, lower = f.numbers(_ATAN_UPPER), f.numbers(_ATAN_LOWER)
    quotient = f.div(f.mul(f.polynomial(squared, upper), squared), f.polynomial(squared, lower))
    angle = f.fma(quotient, x, x)
    middle = f.select(is_middle, f.add(f.number(pi / 4), angle), angle)
    whole = f.select(is_large, f.sub(f.number(pi / 2), angle), middle)
    return f.math("copysign", whole, operand)


_ATAN_UPPER: Final = (
    -8.750608600031904122785e-01,
    -1.615753718733365076637e01,
    -7.500855792314704667340e01,
    -1.228866684490136173410e02,
    -6.485021904942025371773e01,
)
_ATAN_LOWER: Final = (
    2.485846490142306297962e01,
    1.650270098316988542046e02,
    4.328810604912902668951e02,
    4.853903996359136964868e02,
    1.945506571482613964425e02,
)


def _atan2(f: Formula, operands: Sequence[Value]) -> Value:
    """`atan(y / x)`, turned by half a circle where `x` is negative; `±π/2` where it is zero, and NaN where both are."""
    y, x = operands
    atan = f.math("atan", f.div(y, x))
    zero, half_circle = f.numbers((0.0, 3.14159265359))
    up, down = f.add(atan, half_circle), f.sub(atan, half_circle)
    turned = f.select(f.compare("ogt", atan, zero), down, up)
    result = f.select(f.compare("ogt", x, zero), atan, turned)
    is_upright = f.compare("oeq", x, zero)
    is_up = f.binary("andi", is_upright, f.compare("ogt", y, zero))
    result = f.select(is_up, f.number(1.57079632679), result)
    is_down = f.binary("andi", is_upright, f.compare("olt", y, zero))
    result = f.select(is_down, f.number(-1.57079632679), result)
    is_nothing = f.binary("andi", is_upright, f.compare("oeq", y, zero))
    return f.select(is_nothing, f.of_bits(NAN), result)


def _asin(f: Formula, operands: Sequence[Value]) -> Value:
    """A polynomial in `|x|`, or `π/2` less one in `sqrt(1 - x²)` where `x²` is above a half."""
    (operand,) = operands
    magnitude = f.math("absf", operand)
    squared = f.mul(operand, operand)
    other = f.math("sqrt", f.sub(f.number(1.0), squared))
    is_large = f.compare("ogt", squared, f.number(0.5))
    x = f.select(is_large, other, magnitude)
    s = f.mul(x, x)
    q = f.mul(s, s)
    even, odd = f.numbers((5.5579749017470502e-2, -6.2027913464120114e-2))
    for one, two in _ASIN:
        even = f.fma(even, q, f.number(one))
        odd = f.fma(odd, q, f.number(two))
    r = f.fma(even, s, odd)
    r = f.fma(r, s, f.number(1.6666666666670193e-1))
    r = f.fma(r, f.mul(x, s), x)
    r = f.select(is_large, f.sub(f.number(1.57079632679), r), r)
    return f.math("copysign", r, operand)


_ASIN: Final = (
    (5.4224464349245036e-2, -1.1326992890324464e-2),
    (1.5268872539397656e-2, 1.0493798473372081e-2),
    (1.4106045900607047e-2, 1.7339776384962050e-2),
    (2.2372961589651054e-2, 3.0381912707941005e-2),
    (4.4642857881094775e-2, 7.4999999991367292e-2),
)


def _acos(f: Formula, operands: Sequence[Value]) -> Value:
    """With `r = -|x|`: `π/2 + asin(r)`, or `2 * asin(sqrt((1 + r) / 2))` up to -0.5625; `π` less that for
    negative `x`."""
    (operand,) = operands
    negated = f.neg(operand)
    zero, half, minus_one = f.numbers((0.0, 0.5, -1.0))
    r = f.select(f.compare("ogt", operand, zero), negated, operand)
    is_small = f.compare("ogt", r, f.number(-0.5625))
    right = f.numbers((9.3282184640716537e-1, 1.6839188885261840e0))
    small = f.fma(right[0], right[1], f.math("asin", r))
    root = f.math("asin", f.math("sqrt", f.fma(half, r, half)))
    large = f.mul(f.number(2.0), root)
    r = f.select(is_small, small, large)
    is_within = f.compare("oge", operand, minus_one)
    is_negative = f.binary("andi", is_within, f.compare("olt", operand, zero))
    straight = f.numbers((1.8656436928143307e0, 1.6839188885261840e0))
    other = f.fma(straight[0], straight[1], f.neg(r))
    return f.select(is_negative, other, r)


PATTERNS: Final = (
    approximation("acos", _acos, "AcosPolynomialApproximation", narrow=True),
    approximation("asin", _asin, "AsinPolynomialApproximation", narrow=True),
    approximation("atan", _atan, "AtanApproximation"),
    approximation("atan2", _atan2, "Atan2Approximation"),
)
