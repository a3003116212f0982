"""The error function and its complement. Each says what it computes; the operations and their order are those of
mlir-opt 22."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

from fathom.ir.types import I1
from fathom.passes.arithmetic import constant
from fathom.passes.transforms.test_math_polynomial_approximation.building import approximation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.passes.transforms.test_math_polynomial_approximation.building import Formula

_UPPER: Final = (
    (0.0, 1.12837916222975858e00, -5.23018562988006470e-01, 2.09741709609267072e-01, 2.58146801602987875e-02),
    (0.0, 1.12750687816789140e00, -3.64721408487825775e-01, 1.18407396425136952e-01, 3.70645533056476558e-02),
    (
        -3.30093071049483172e-03,
        3.51961938357697011e-03,
        -1.41373622814988039e-03,
        2.53447094961941348e-04,
        -1.71048029455037401e-05,
    ),
)
_LOWER: Final = (
    (1.0, -4.635138185962547255e-01, 5.192301327279782447e-01, -1.318089722204810087e-01, 7.397964654672315005e-02),
    (1.0, -3.27607011824493086e-01, 4.48369090658821977e-01, -8.83462621207857930e-02, 5.72442770283176093e-02),
    (1.0, -2.06069165953913769e00, 1.62705939945477759e00, -5.83389859211130017e-01, 8.21908939856640930e-02),
)
_OFFSETS: Final = (0.0, 0.0, 1.0)
_BOUNDS: Final = (0.8, 2.0, 3.75)


def _erf(f: Formula, operands: Sequence[Value]) -> Value:
    """An offset and a quotient of polynomials in `|x|`, others in each of three ranges, and 1 beyond; with the sign of
    `x`."""
    (operand,) = operands
    zero, one = f.numbers((0.0, 1.0))
    uppers, lowers = [f.numbers(row) for row in _UPPER], [f.numbers(row) for row in _LOWER]
    offsets, bounds = f.numbers(_OFFSETS), f.numbers(_BOUNDS)
    is_negative = f.compare("olt", operand, zero)
    x = f.select(is_negative, f.neg(operand), operand)
    offset, upper, lower = offsets[0], uppers[0], lowers[0]
    for number in (1, 2):
        is_below = f.compare("olt", x, bounds[number - 1])
        for i in range(len(upper)):
            upper[i] = f.select(is_below, upper[i], uppers[number][i])
            lower[i] = f.select(is_below, lower[i], lowers[number][i])
        offset = f.select(is_below, offset, offsets[number])
    is_within = f.compare("ult", x, bounds[2])
    quotient = f.div(f.polynomial(x, upper[::-1]), f.polynomial(x, lower[::-1]))
    whole = f.select(is_within, f.add(offset, quotient), one)
    return f.select(is_negative, f.neg(whole), whole)


_ERFC: Final = (
    "-0x1.42a260p-10",
    "0x1.585714p-10",
    "0x1.1adcc4p-07",
    "-0x1.081b82p-07",
    "-0x1.bc0b6ap-05",
    "0x1.4ffc46p-03",
    "-0x1.540840p-03",
    "-0x1.7bf616p-04",
    "0x1.1ba03ap-02",
)


def _erfc(f: Formula, operands: Sequence[Value]) -> Value:
    """A polynomial of degree 9 in `(|x| - 2) / (|x| + 2)`, divided by `1 + 2 * |x|`, times `exp(-x²)`, each with what
    rounding lost; 2 less that for negative `x`."""
    (x,) = operands
    true = f.everywhere(constant(f.rewriter, 1, I1))
    zero, one, half, minus_four, minus_two, two, infinite, most = f.numbers(
        (0.0, 1.0, 0.5, -4.0, -2.0, 2.0, inf, 10.0546875)
    )
    a = f.math("absf", x)
    p = f.add(a, two)
    r = f.div(one, p)
    q = f.fma(minus_four, r, one)
    t = f.fma(f.add(q, one), minus_two, a)
    e = f.fma(f.neg(a), q, t)
    q = f.fma(r, e, q)
    p = f.number(float.fromhex("-0x1.a4a000p-12"))
    for coefficient in _ERFC:
        p = f.fma(p, q, f.number(float.fromhex(coefficient)))
    r = f.div(one, f.fma(two, a, one))
    q = f.fma(p, r, r)
    lost = f.fma(q, f.neg(a), half)
    e = f.fma(lost, two, f.sub(p, q))
    r = f.fma(e, r, q)
    squared = f.mul(a, a)
    e = f.math("exp", f.neg(squared))
    t = f.fma(f.neg(a), a, squared)
    r = f.fma(r, e, f.mul(f.mul(r, e), t))
    is_infinite = f.binary("xori", f.compare("olt", a, infinite), true)
    r = f.select(is_infinite, f.add(x, x), r)
    r = f.select(f.compare("ogt", a, most), zero, r)
    is_negative = f.compare("olt", x, zero)
    return f.select(is_negative, f.sub(two, r), r)


PATTERNS: Final = (
    approximation("erf", _erf, "ErfPolynomialApproximation", narrow=True),
    approximation("erfc", _erfc, "ErfcPolynomialApproximation"),
)
