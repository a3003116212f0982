"""Arithmetic, comparison and conversion of floats by bit pattern, by the names of LLVM's instructions.

Source of the rules: IEEE 754-2019; a NaN operand is passed on quiet, and an invalid operation gives the positive
quiet NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.ir import float_arithmetic
from fathom.ir.float_arithmetic import quiet
from fathom.ir.floats import SEMANTICS, from_fraction, infinity, is_infinity, is_nan, is_negative, to_fraction
from fathom.llvmir.types import Type
from fathom.translation.types import FLOATS

_NAMES: Final[dict[Type, str]] = {kind: name for name, kind in FLOATS.items()}


def float_name(type: Type) -> str:
    """What MLIR calls a float of LLVM's. Raises KeyError for what is none that is computed with."""
    return _NAMES[type]


ARITHMETIC: Final[Mapping[str, Callable[[int, int, str], int]]] = {
    "fadd": float_arithmetic.add,
    "fsub": float_arithmetic.subtract,
    "fmul": float_arithmetic.multiply,
    "fdiv": float_arithmetic.divide,
    "frem": float_arithmetic.remainder,
}
"""What each instruction makes of two bit patterns of the type of this name."""


def convert(bits: int, source: str, target: str) -> int:
    """The value in another type; the payload of a NaN is kept as far as it fits."""
    if is_nan(bits, source):
        s, t = SEMANTICS[source], SEMANTICS[target]
        payload = bits & ((1 << s.mantissa) - 1)
        shift = t.mantissa - s.mantissa
        payload = payload << shift if shift >= 0 else payload >> -shift
        sign = int(is_negative(bits, source)) << (t.width - 1)
        return quiet(infinity(target) | payload, target) | sign
    if is_infinity(bits, source):
        return infinity(target, negative=is_negative(bits, source))
    return from_fraction(to_fraction(bits, source), target, negative_zero=is_negative(bits, source))


def is_subnormal(bits: int, name: str) -> bool:
    """Whether the value is closer to zero than any normal one, and not zero."""
    if is_nan(bits, name) or is_infinity(bits, name):
        return False
    from fractions import Fraction

    value = abs(to_fraction(bits, name))
    return 0 < value < Fraction(2) ** SEMANTICS[name].minimum_exponent


def compare(conditions: int, a: int, b: int, name: str) -> bool:
    """An `fcmp`; the bits of `conditions` are, from the lowest, equal, greater, less, unordered."""
    order = float_arithmetic.compare(a, b, name)
    if order is None:
        return bool(conditions & 8)
    return bool(conditions & (1 if order == 0 else 2 if order > 0 else 4))
