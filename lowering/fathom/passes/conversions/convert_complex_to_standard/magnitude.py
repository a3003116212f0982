"""The magnitude of a complex number, its square root and the reciprocal of that, without overflow on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_complex_to_standard.numbers import Numbers


def magnitude(numbers: Numbers, real: Value, imaginary: Value) -> Value:
    """`max * sqrt(1 + (min / max)^2)` of the magnitudes of the parts; of zeros, zero."""
    careful, smaller, larger, sum = _by_ratio(numbers, real, imaginary)
    return _or_if_nan(careful, careful.mul(larger, careful.math("sqrt", sum)), smaller)


def root_of_magnitude(numbers: Numbers, real: Value, imaginary: Value) -> Value:
    """`sqrt(max) * (1 + (min / max)^2)^0.25`."""
    careful, smaller, larger, sum = _by_ratio(numbers, real, imaginary)
    quarter = numbers.constant(0.25)
    root = careful.math("sqrt", larger)
    return _or_if_nan(careful, careful.mul(root, careful.math("powf", sum, quarter)), smaller)


def reciprocal_root_of_magnitude(numbers: Numbers, real: Value, imaginary: Value) -> Value:
    """`1 / sqrt(max) * sqrt(1 / sqrt(1 + (min / max)^2))`."""
    careful, smaller, larger, sum = _by_ratio(numbers, real, imaginary)
    sum = careful.math("rsqrt", sum)
    smaller = careful.math("rsqrt", smaller)
    larger = careful.math("rsqrt", larger)
    return _or_if_nan(careful, careful.mul(larger, careful.math("sqrt", sum)), smaller)


def _by_ratio(numbers: Numbers, real: Value, imaginary: Value) -> tuple[Numbers, Value, Value, Value]:
    """The smaller and the larger magnitude of the parts, and `1 + (smaller / larger)^2`; and what computes with NaNs
    and infinities from here on, whatever the flags promise: 0 / 0 is one."""
    one = numbers.constant(1.0)
    first, second = numbers.abs(real), numbers.abs(imaginary)
    larger, smaller = numbers.maximum(first, second), numbers.minimum(first, second)
    careful = numbers.with_special_values()
    ratio = careful.div(smaller, larger)
    return careful, smaller, larger, careful.add(careful.mul(ratio, ratio), one)


def _or_if_nan(careful: Numbers, value: Value, other: Value) -> Value:
    return careful.select(careful.compare("uno", value, value), other, value)
