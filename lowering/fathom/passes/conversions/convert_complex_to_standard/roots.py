"""The square root of a complex number and its reciprocal: those of the magnitude, turned by half of the angle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.conversions.convert_complex_to_standard.magnitude import (
    reciprocal_root_of_magnitude,
    root_of_magnitude,
)

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_complex_to_standard.numbers import Numbers


def sqrt(numbers: Numbers, z: Value) -> Value:
    """With `a = atan2(y, x) / 2`: `sqrt |z| (cos a + sin a i)`; infinities and NaNs as C has them."""
    zero, half = numbers.constant(0.0), numbers.constant(0.5)
    x, y = numbers.parts(z)
    root = root_of_magnitude(numbers, x, y)
    angle = numbers.mul(numbers.math("atan2", y, x), half)
    cosine, sine = numbers.math("cos", angle), numbers.math("sin", angle)
    sine_is_zero = numbers.compare("oeq", sine, zero)
    real = numbers.mul(root, cosine)
    imaginary = numbers.select(sine_is_zero, zero, numbers.mul(root, sine))

    if not numbers.rules_out_special_values:
        infinity, minus_infinity, nan = numbers.infinity(), numbers.infinity(negative=True), numbers.nan()
        y_magnitude = numbers.abs(y)
        y_is_infinite = numbers.compare("oeq", y_magnitude, infinity)
        y_is_finite = numbers.compare("one", y_magnitude, infinity)
        x_is_infinity = numbers.compare("oeq", x, infinity)
        x_is_minus_infinity = numbers.compare("oeq", x, minus_infinity)
        real = numbers.select(numbers.both(x_is_minus_infinity, y_is_finite), zero, real)
        real = numbers.select(numbers.either(y_is_infinite, x_is_infinity), infinity, real)
        signed_infinity = numbers.copysign(infinity, y)
        imaginary = numbers.select(numbers.without_flags().compare("uno", root, root), nan, imaginary)
        imaginary = numbers.select(numbers.either(y_is_infinite, x_is_minus_infinity), signed_infinity, imaginary)

    is_zero = numbers.compare("oeq", root, zero)
    real = numbers.select(is_zero, zero, real)
    return numbers.create(real, numbers.select(is_zero, zero, imaginary))


def rsqrt(numbers: Numbers, z: Value) -> Value:
    """With `a = -atan2(y, x) / 2`: `1 / sqrt |z| (cos a + sin a i)`; of what is infinite, zero, and of zero,
    infinity."""
    zero, infinity, minus_half, nan = (
        numbers.constant(0.0),
        numbers.infinity(),
        numbers.constant(-0.5),
        numbers.nan(),
    )
    x, y = numbers.parts(z)
    root = reciprocal_root_of_magnitude(numbers, x, y)
    angle = numbers.mul(numbers.math("atan2", y, x), minus_half)
    cosine, sine = numbers.math("cos", angle), numbers.math("sin", angle)
    real, imaginary = numbers.mul(root, cosine), numbers.mul(root, sine)

    if not numbers.rules_out_special_values:
        minus_one = numbers.constant(-1.0)
        real_zero, imaginary_zero = numbers.copysign(zero, x), numbers.copysign(zero, y)
        imaginary_zero = numbers.mul(minus_one, imaginary_zero)
        x_magnitude, y_magnitude = numbers.abs(x), numbers.abs(y)
        y_is_infinite = numbers.compare("oeq", y_magnitude, infinity)
        x_is_nan = numbers.compare("uno", x, x)
        x_is_infinite = numbers.compare("oeq", x_magnitude, infinity)
        is_zero = numbers.either(numbers.both(y_is_infinite, x_is_nan), x_is_infinite)
        real = numbers.select(is_zero, real_zero, real)
        imaginary = numbers.select(is_zero, imaginary_zero, imaginary)

    of_zero = numbers.both(numbers.compare("oeq", x, zero), numbers.compare("oeq", y, zero))
    real = numbers.select(of_zero, infinity, real)
    return numbers.create(real, numbers.select(of_zero, nan, imaginary))
