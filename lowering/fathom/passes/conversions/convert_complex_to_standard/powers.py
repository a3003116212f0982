"""Powers of complex numbers, in terms of functions of their parts.

Source of the special cases: Kahan, "Branch Cuts for Complex Elementary Functions", section 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_complex_to_standard.numbers import Numbers


def powi(numbers: Numbers, base: Value, exponent: Value) -> Value:
    """The power whose exponent is an integer is that whose exponent is a number without imaginary part."""
    real = numbers.rewriter.create("arith.sitofp", [exponent], [numbers.type]).result
    return numbers.complex("pow", base, numbers.create(real, numbers.constant(0.0)))


def pow(numbers: Numbers, base: Value, exponent: Value) -> Value:
    """`(a + bi)^(c + di)` is, with `t = atan2(b, a)` and `q = c t + d log |a + bi|`,
    `|a + bi|^c exp (-d t) (cos q + sin q i)`; and in special cases what these ask for."""
    c, d = numbers.parts(exponent)
    a, b = numbers.parts(base)
    magnitude = numbers.abs_of(base)
    power = numbers.math("powf", magnitude, c)
    minus_d = numbers.neg(d)
    angle = numbers.math("atan2", b, a)
    factor = numbers.mul(power, numbers.math("exp", numbers.mul(minus_d, angle)))
    log = numbers.math("log", magnitude)
    q = numbers.add(numbers.mul(c, angle), numbers.mul(d, log))
    cosine, sine = numbers.math("cos", q), numbers.math("sin", q)

    infinity, zero, one = numbers.infinity(), numbers.constant(0.0), numbers.constant(1.0)
    complex_one, complex_zero = numbers.create(one, zero), numbers.create(zero, zero)
    complex_infinity = numbers.create(infinity, zero)

    # 0^c is 0 for c > 0, and 0^0 is 1.
    base_is_zero = numbers.compare("oeq", magnitude, zero)
    d_is_zero = numbers.compare("oeq", d, zero)
    c_is_zero = numbers.compare("oeq", c, zero)
    b_is_zero = numbers.compare("oeq", b, zero)
    c_is_not_negative = numbers.compare("ole", zero, c)
    real, imaginary = numbers.mul(factor, cosine), numbers.mul(factor, sine)
    one_or_zero = numbers.select(c_is_zero, complex_one, complex_zero)
    result = numbers.create(real, imaginary)
    of_zero = numbers.both(numbers.both(base_is_zero, d_is_zero), c_is_not_negative)
    result = numbers.select(of_zero, one_or_zero, result)

    # z^0 is 1.
    result = numbers.select(numbers.both(c_is_zero, d_is_zero), complex_one, result)

    # 1^z is 1.
    is_one = numbers.both(numbers.compare("oeq", a, one), b_is_zero)
    result = numbers.select(is_one, complex_one, result)

    # inf^c is inf for c > 0, and 0 for c < 0.
    is_infinity = numbers.both(numbers.compare("oeq", a, infinity), b_is_zero)
    is_positive = numbers.both(d_is_zero, numbers.compare("ogt", c, zero))
    result = numbers.select(numbers.both(is_infinity, is_positive), complex_infinity, result)
    is_negative = numbers.both(d_is_zero, numbers.compare("olt", c, zero))
    return numbers.select(numbers.both(is_infinity, is_negative), complex_zero, result)
