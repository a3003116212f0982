"""Sine and cosine. The operations and their order are those of mlir-opt 22."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, Final

from fathom.passes.transforms.test_math_polynomial_approximation.building import approximation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Value
    from fathom.passes.transforms.test_math_polynomial_approximation.building import Formula

_SINE: Final = (
    -0.16666667163372039794921875,
    8.333347737789154052734375e-3,
    -1.9842604524455964565277099609375e-4,
    2.760012648650445044040679931640625e-6,
    -2.50293279435709337121807038784027099609375e-8,
)
_COSINE: Final = (
    -0.5,
    4.166664183139801025390625e-2,
    -1.388833043165504932403564453125e-3,
    2.47562347794882953166961669921875e-5,
    -2.59630184018533327616751194000244140625e-7,
)
"""Coefficients of the powers of `y²`, in the first quarter of the circle."""


def _wave(is_sine: bool) -> Callable[[Formula, Sequence[Value]], Value]:
    """The polynomial of sine or cosine in what is beyond the last quarter of the circle, negated in two of them."""

    def formula(f: Formula, operands: Sequence[Value]) -> Value:
        (x,) = operands
        per_quarter, quarter = f.numbers((2 / pi, pi / 2))
        count = f.math("floor", f.mul(x, per_quarter))
        y = f.sub(x, f.mul(count, quarter))
        one, minus_one = f.numbers((1.0, -1.0))
        sine, cosine = f.numbers(_SINE), f.numbers(_COSINE)
        counted = f.create("arith.fptosi", f.integers, count)
        number = f.binary("andi", counted, f.integer(3))
        is_quarter = [f.compare_integers("eq", number, f.integer(n)) for n in range(4)]
        by_cosine = f.binary("ori", *(is_quarter[1::2] if is_sine else is_quarter[::2]))
        is_negative = f.compare_integers("sgt", number, f.integer(1)) if is_sine else f.binary("ori", *is_quarter[1:3])
        squared = f.mul(y, y)
        base = f.select(by_cosine, one, y)
        chosen = [f.select(by_cosine, first, second) for first, second in zip(cosine, sine, strict=True)]
        product = f.mul(base, f.polynomial(squared, [*reversed(chosen), one]))
        return f.select(is_negative, f.mul(minus_one, product), product)

    return formula


PATTERNS: Final = (
    approximation("cos", _wave(False), "SinAndCosApproximation"),
    approximation("sin", _wave(True), "SinAndCosApproximation"),
)
