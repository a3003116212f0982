"""Division of complex numbers in terms of their parts, in either of two ways.

The option `complex-range` of a pass chooses: `improved` is Smith's algorithm, which divides by the larger part first so
that squares do not overflow, and gives infinities and zeros their due; `basic` and `none` are the formula.
Source of the rules: the options of *Passes*, `-convert-complex-to-llvm` and `-convert-complex-to-standard`; Smith,
"Algorithm 116: Complex division", Communications of the ACM 5 (1962); the order is that of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.passes.options import one_of

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.float_arithmetic import Floats
    from fathom.passes.options import Kind

Parts: TypeAlias = "tuple[Value, Value]"
"""The real and the imaginary part of a number."""

IMPROVED: Final = "improved"
BASIC: Final = "basic"


def complex_range(default: str) -> Kind:
    """The values of the option `complex-range` of a pass."""
    return one_of({way: way + " (default)" * (way == default) for way in (IMPROVED, BASIC, "none")})


RANGE_HELP: Final = "how quotients are computed"


def divide(floats: Floats, lhs: Parts, rhs: Parts, range: str) -> Parts:
    """The quotient, computed as the value of `complex-range` says."""
    return _by_range_reduction(floats, lhs, rhs) if range == IMPROVED else _by_formula(floats, lhs, rhs)


def _by_formula(floats: Floats, lhs: Parts, rhs: Parts) -> Parts:
    """`(a + bi) / (c + di)` is `((ac + bd) + (bc - ad)i) / (cc + dd)`."""
    (a, b), (c, d) = lhs, rhs
    norm = floats.add(floats.mul(c, c), floats.mul(d, d))
    real = floats.add(floats.mul(a, c), floats.mul(b, d))
    imaginary = floats.sub(floats.mul(b, c), floats.mul(a, d))
    return floats.div(real, norm), floats.div(imaginary, norm)


def _by_range_reduction(floats: Floats, lhs: Parts, rhs: Parts) -> Parts:
    """Smith's algorithm; where both parts of its result are no numbers, what the operands' infinities and zeros ask
    for."""
    (a, b), (c, d) = lhs, rhs
    plain = floats.without_flags()

    # With r = c / d: ((ar + b) + (br - a)i) / (d + rc), for |c| < |d|.
    ratio = floats.div(c, d)
    denominator = floats.add(d, floats.mul(ratio, c))
    first_real = floats.div(floats.add(floats.mul(a, ratio), b), denominator)
    first_imaginary = floats.div(floats.sub(floats.mul(b, ratio), a), denominator)

    # With r = d / c: ((a + br) + (b - ar)i) / (c + rd), otherwise.
    ratio = floats.div(d, c)
    denominator = floats.add(c, floats.mul(ratio, d))
    second_real = floats.div(floats.add(a, floats.mul(b, ratio)), denominator)
    second_imaginary = floats.div(floats.sub(b, floats.mul(a, ratio)), denominator)

    # By zero, where not all of the numerator is NaN: infinity.
    zero = floats.constant(0.0)
    c_magnitude = floats.abs(c)
    c_is_zero = plain.compare("oeq", c_magnitude, zero)
    d_magnitude = floats.abs(d)
    d_is_zero = plain.compare("oeq", d_magnitude, zero)
    a_is_number = plain.compare("ord", a, zero)
    b_is_number = plain.compare("ord", b, zero)
    some_number = floats.either(a_is_number, b_is_number)
    is_infinity = floats.both(some_number, floats.both(c_is_zero, d_is_zero))
    infinity = floats.infinity()
    signed_infinity = plain.copysign(infinity, c)
    infinity_real = floats.mul(signed_infinity, a)
    infinity_imaginary = floats.mul(signed_infinity, b)

    # Of infinity by what is finite: infinity.
    c_is_finite = plain.compare("one", c_magnitude, infinity)
    d_is_finite = plain.compare("one", d_magnitude, infinity)
    rhs_is_finite = floats.both(c_is_finite, d_is_finite)
    a_magnitude = floats.abs(a)
    a_is_infinite = plain.compare("oeq", a_magnitude, infinity)
    b_magnitude = floats.abs(b)
    b_is_infinite = plain.compare("oeq", b_magnitude, infinity)
    lhs_is_infinite = floats.either(a_is_infinite, b_is_infinite)
    infinite_by_finite = floats.both(lhs_is_infinite, rhs_is_finite)
    one = floats.constant(1.0)
    a_sign = plain.copysign(floats.select(a_is_infinite, one, zero), a)
    b_sign = plain.copysign(floats.select(b_is_infinite, one, zero), b)
    product, other = floats.mul(a_sign, c), floats.mul(b_sign, d)
    large_real = floats.mul(infinity, floats.add(product, other))
    product, other = floats.mul(a_sign, d), floats.mul(b_sign, c)
    large_imaginary = floats.mul(infinity, floats.sub(other, product))

    # Of what is finite by infinity: zero.
    a_is_finite = plain.compare("one", a_magnitude, infinity)
    b_is_finite = plain.compare("one", b_magnitude, infinity)
    lhs_is_finite = floats.both(a_is_finite, b_is_finite)
    c_is_infinite = plain.compare("oeq", c_magnitude, infinity)
    d_is_infinite = plain.compare("oeq", d_magnitude, infinity)
    rhs_is_infinite = floats.either(c_is_infinite, d_is_infinite)
    finite_by_infinite = floats.both(lhs_is_finite, rhs_is_infinite)
    c_sign = plain.copysign(floats.select(c_is_infinite, one, zero), c)
    d_sign = plain.copysign(floats.select(d_is_infinite, one, zero), d)
    product, other = floats.mul(a, c_sign), floats.mul(b, d_sign)
    small_real = floats.mul(zero, floats.add(product, other))
    product, other = floats.mul(b, c_sign), floats.mul(a, d_sign)
    small_imaginary = floats.mul(zero, floats.sub(product, other))

    takes_first = plain.compare("olt", c_magnitude, d_magnitude)
    smith_real = floats.select(takes_first, first_real, second_real)
    smith_imaginary = floats.select(takes_first, first_imaginary, second_imaginary)
    real = floats.select(finite_by_infinite, small_real, smith_real)
    imaginary = floats.select(finite_by_infinite, small_imaginary, smith_imaginary)
    real = floats.select(infinite_by_finite, large_real, real)
    imaginary = floats.select(infinite_by_finite, large_imaginary, imaginary)
    real = floats.select(is_infinity, infinity_real, real)
    imaginary = floats.select(is_infinity, infinity_imaginary, imaginary)

    real_is_nan = plain.compare("uno", smith_real, zero)
    imaginary_is_nan = plain.compare("uno", smith_imaginary, zero)
    is_nan = floats.both(real_is_nan, imaginary_is_nan)
    return floats.select(is_nan, real, smith_real), floats.select(is_nan, imaginary, smith_imaginary)
