"""Trigonometric functions of complex numbers, in terms of functions of their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.types import I1
from fathom.passes.arithmetic import constant
from fathom.passes.complex_division import Parts
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_complex_to_standard.numbers import Numbers


@record
class _Waves:
    """Of `x + yi`: half of `exp y`, half of its reciprocal, and the sine and cosine of x."""

    growing: Value
    falling: Value
    sine: Value
    cosine: Value


def _waves(numbers: Numbers, z: Value) -> _Waves:
    real, imaginary = numbers.parts(z)
    half = numbers.constant(0.5)
    exp = numbers.math("exp", imaginary)
    growing, falling = numbers.mul(half, exp), numbers.div(half, exp)
    return _Waves(growing, falling, numbers.math("sin", real), numbers.math("cos", real))


def cos(numbers: Numbers, z: Value) -> Value:
    """With `t = exp y`: `(0.5 / t + 0.5 t) cos x + (0.5 / t - 0.5 t) sin x i`."""
    waves = _waves(numbers, z)
    real = numbers.mul(numbers.add(waves.falling, waves.growing), waves.cosine)
    imaginary = numbers.mul(numbers.sub(waves.falling, waves.growing), waves.sine)
    return numbers.create(real, imaginary)


def sin(numbers: Numbers, z: Value) -> Value:
    """With `t = exp y`: `(0.5 t + 0.5 / t) sin x + (0.5 t - 0.5 / t) cos x i`."""
    waves = _waves(numbers, z)
    real = numbers.mul(numbers.add(waves.growing, waves.falling), waves.sine)
    imaginary = numbers.mul(numbers.sub(waves.growing, waves.falling), waves.cosine)
    return numbers.create(real, imaginary)


def tanh(numbers: Numbers, z: Value) -> Value:
    real, imaginary = numbers.parts(z)
    return numbers.create(*_tanh(numbers, real, imaginary, numbers.constant(-1.0)))


def tan(numbers: Numbers, z: Value) -> Value:
    """`tan (x + yi)` is `-i tanh (-y + xi)`."""
    real, imaginary = numbers.parts(z)
    minus_one = numbers.constant(-1.0)
    x, y = _tanh(numbers, numbers.mul(imaginary, minus_one), real, minus_one)
    return numbers.create(y, numbers.mul(x, minus_one))


def _tanh(numbers: Numbers, x: Value, y: Value, minus_one: Value) -> Parts:
    """With `e = exp 2x - 1` and `f = exp -2x - 1`: `((e - f) + 4 cos y sin y i) / ((e + f) + 4 (cos y)^2)`; where
    `e + f` is infinite, the real part is 1 with the sign of x."""
    infinity, four = numbers.infinity(), numbers.constant(4.0)
    twice = numbers.add(x, x)
    minus_twice = numbers.mul(minus_one, twice)
    e, f = numbers.math("expm1", twice), numbers.math("expm1", minus_twice)
    real_numerator = numbers.sub(e, f)

    cosine = numbers.math("cos", y)
    square = numbers.mul(numbers.mul(cosine, cosine), four)
    sine = numbers.math("sin", y)
    imaginary_numerator = numbers.mul(four, numbers.mul(cosine, sine))

    sum = numbers.add(e, f)
    denominator = numbers.add(sum, square)
    is_infinite = numbers.compare("oeq", sum, infinity)
    limit = numbers.copysign(minus_one, x)
    real = numbers.select(is_infinite, limit, numbers.div(real_numerator, denominator))
    imaginary = numbers.div(imaginary_numerator, denominator)
    if numbers.rules_out_special_values:
        return real, imaginary

    x_magnitude = numbers.abs(x)
    zero, nan = numbers.constant(0.0), numbers.nan()
    x_is_infinite = numbers.compare("oeq", x_magnitude, infinity)
    y_is_zero = numbers.compare("oeq", y, zero)
    true = constant(numbers.rewriter, 1, I1)
    x_is_not_infinite = numbers.rewriter.create("arith.xori", [x_is_infinite, true], [I1]).result
    numerator_is_nan = numbers.compare("uno", imaginary_numerator, imaginary_numerator)
    real_is_nan = numbers.both(numerator_is_nan, x_is_not_infinite)
    imaginary_is_zero = numbers.either(y_is_zero, numbers.both(x_is_infinite, numerator_is_nan))
    real = numbers.select(real_is_nan, nan, real)
    return real, numbers.select(imaginary_is_zero, zero, imaginary)


def atan2(numbers: Numbers, y: Value, x: Value) -> Value:
    """`-i log ((x + iy) / sqrt (x^2 + y^2))`, in complex numbers."""
    x_squared, y_squared = numbers.complex("mul", x, x), numbers.complex("mul", y, y)
    root = numbers.complex("sqrt", numbers.complex("add", x_squared, y_squared))
    zero, one = numbers.constant(0.0), numbers.constant(1.0)
    i = numbers.create(zero, one)
    sum = numbers.complex("add", x, numbers.complex("mul", i, y))
    log = numbers.complex("log", numbers.complex("div", sum, root))
    minus_i = numbers.create(zero, numbers.constant(-1.0))
    return numbers.complex("mul", minus_i, log)
