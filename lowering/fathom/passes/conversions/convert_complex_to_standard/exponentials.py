"""Exponentials and logarithms of complex numbers, in terms of functions of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_complex_to_standard.numbers import Numbers


def exp(numbers: Numbers, z: Value) -> Value:
    """`exp x (cos y + sin y i)`; where `exp x` is infinite, `exp (x / 2) (cos y + sin y i) exp (x / 2)`. For `y = 0`
    the imaginary part is 0."""
    x, y = numbers.parts(z)
    zero, half, infinity = numbers.constant(0.0), numbers.constant(0.5), numbers.infinity()
    exp = numbers.math("exp", x)
    root = numbers.math("exp", numbers.mul(x, half))
    cosine, sine = numbers.math("cos", y), numbers.math("sin", y)
    is_infinite = numbers.compare("oeq", exp, infinity)
    y_is_zero = numbers.without_flags().compare("oeq", y, zero)

    product = numbers.mul(exp, cosine)
    overflown = numbers.mul(numbers.mul(root, cosine), root)
    real = numbers.select(is_infinite, overflown, product)
    product = numbers.mul(exp, sine)
    overflown = numbers.mul(numbers.mul(root, sine), root)
    imaginary = numbers.select(is_infinite, overflown, product)
    return numbers.create(real, numbers.select(y_is_zero, zero, imaginary))


def expm1(numbers: Numbers, z: Value) -> Value:
    """`(expm1 x cos y + (cos y - 1)) + exp x sin y i`, where the differences are computed as such, so that they are
    exact near 0."""
    x, y = numbers.parts(z)
    zero, one = numbers.constant(0.0), numbers.constant(1.0)
    expm1 = numbers.math("expm1", x)
    exp = numbers.add(expm1, one)
    sine = numbers.math("sin", y)
    cosm1 = _cosm1(numbers, y)
    cosine = numbers.add(cosm1, one)
    real = numbers.add(numbers.mul(expm1, cosine), cosm1)
    y_is_zero = numbers.compare("oeq", y, zero)
    return numbers.create(real, numbers.select(y_is_zero, zero, numbers.mul(exp, sine)))


COSM1: Final = (
    4.7377507964246204691685e-14,
    -1.1470284843425359765671e-11,
    2.0876754287081521758361e-9,
    -2.7557319214999787979814e-7,
    2.4801587301570552304991e-5,
    -1.3888888888888872993737e-3,
    4.1666666666666666609054e-2,
)
"""The coefficients of a polynomial p in the square of y, so that `cos y - 1` is `y^4 p(y^2) - y^2 / 2` near 0, as the
library Cephes has them; those of the highest power first."""

NEAR: Final = 0.61685
"""The square of a quarter of pi, up to which `cos y - 1` is computed by the polynomial."""


def _cosm1(numbers: Numbers, y: Value) -> Value:
    """`cos y - 1`."""
    minus_half, minus_one = numbers.constant(-0.5), numbers.constant(-1.0)
    far = numbers.add(numbers.math("cos", y), minus_one)
    square = numbers.mul(y, y)
    fourth = numbers.mul(square, square)
    polynomial = _polynomial(numbers, square, COSM1)
    # Of all operations this one has no flags.
    near = numbers.without_flags().add(numbers.mul(fourth, polynomial), numbers.mul(minus_half, square))
    is_far = numbers.compare("oge", square, numbers.constant(NEAR))
    return numbers.select(is_far, far, near)


def _polynomial(numbers: Numbers, x: Value, coefficients: Sequence[float]) -> Value:
    """Horner's scheme; the coefficient of the highest power comes first."""
    result = numbers.constant(coefficients[0])
    for coefficient in coefficients[1:]:
        result = numbers.math("fma", result, x, numbers.constant(coefficient))
    return result


def log(numbers: Numbers, z: Value) -> Value:
    """`log |z| + atan2(y, x) i`."""
    real = numbers.math("log", numbers.abs_of(z))
    x, y = numbers.parts(z)
    return numbers.create(real, numbers.math("atan2", y, x))


def log1p(numbers: Numbers, z: Value) -> Value:
    """`log |z + 1| + atan2(y, x + 1) i`, where the logarithm is that of the larger part of `z + 1` less 1, exact near
    0, and half that of `1 + (smaller / larger)^2`."""
    x, y = numbers.parts(z)
    half, one = numbers.constant(0.5), numbers.constant(1.0)
    sum = numbers.add(x, one)
    sum_magnitude, y_magnitude = numbers.abs(sum), numbers.abs(y)
    larger, smaller = numbers.maximum(sum_magnitude, y_magnitude), numbers.minimum(sum_magnitude, y_magnitude)
    takes_sum = numbers.compare("ogt", sum, y_magnitude)
    larger_less_one = numbers.select(takes_sum, x, numbers.sub(larger, one))
    careful = numbers.with_special_values()
    ratio = careful.div(smaller, larger)
    log_of_larger = numbers.math("log1p", larger_less_one)
    log_of_rest = careful.math("log1p", careful.mul(ratio, ratio))
    log = careful.add(careful.mul(half, log_of_rest), log_of_larger)
    real = numbers.select(careful.compare("uno", log, log), smaller, log)
    return numbers.create(real, numbers.math("atan2", y, sum))
