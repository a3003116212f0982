"""What is computed with numbers: integers of so many bits without a sign, and floats that are rounded to their type.

Source of the rules: *'arith' Dialect*; what is undefined there is a Trap, or zero where a value would be poison.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from fathom.interpreting.values import Trap, signed
from fathom.ir import floats

Integers: TypeAlias = "Callable[[int, int, int], int]"
"""Of two numbers and how many bits they have; the result is taken modulo these."""


def _divisor(value: int) -> int:
    if not value:
        raise Trap("crash", "a division by zero")
    return value


def _toward_zero(a: int, b: int) -> int:
    return abs(a) // abs(_divisor(b)) * (1 if (a < 0) == (b < 0) else -1)


def _signed_quotient(a: int, b: int, bits: int) -> int:
    one, two = signed(a, bits), signed(b, bits)
    if two == -1 and one == -(1 << (bits - 1)):
        raise Trap("crash", "the lowest integer is divided by -1")
    return _toward_zero(one, two)


def _signed_remainder(a: int, b: int, bits: int) -> int:
    one, two = signed(a, bits), signed(b, bits)
    return one - two * _toward_zero(one, two)


def _shift(of: Callable[[int, int, int], int]) -> Integers:
    # A shift by too much gives poison.
    return lambda a, b, bits: of(a, b, bits) if b < bits else 0


INTEGER: Final[Mapping[str, Integers]] = {
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "mul": lambda a, b, _: a * b,
    "divu": lambda a, b, _: a // _divisor(b),
    "divs": _signed_quotient,
    "ceildivu": lambda a, b, _: -(-a // _divisor(b)),
    "ceildivs": lambda a, b, bits: -(-signed(a, bits) // _divisor(signed(b, bits))),
    "floordivs": lambda a, b, bits: signed(a, bits) // _divisor(signed(b, bits)),
    "remu": lambda a, b, _: a % _divisor(b),
    "rems": _signed_remainder,
    "and": lambda a, b, _: a & b,
    "or": lambda a, b, _: a | b,
    "xor": lambda a, b, _: a ^ b,
    "shl": _shift(lambda a, b, _: a << b),
    "shru": _shift(lambda a, b, _: a >> b),
    "shrs": _shift(lambda a, b, bits: signed(a, bits) >> b),
    "maxs": lambda a, b, bits: max(signed(a, bits), signed(b, bits)),
    "mins": lambda a, b, bits: min(signed(a, bits), signed(b, bits)),
    "maxu": lambda a, b, _: max(a, b),
    "minu": lambda a, b, _: min(a, b),
}

_COMPARED: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)
_FIRST_UNSIGNED: Final = 6


def compare_integers(predicate: int, a: int, b: int, bits: int) -> int:
    """`eq`, `ne`, then `slt` and so on with a sign, then `ult` and so on without, by their numbers in MLIR."""
    if predicate >= _FIRST_UNSIGNED:
        return int(_COMPARED[predicate - _FIRST_UNSIGNED + 2](a, b))
    return int(_COMPARED[predicate](signed(a, bits), signed(b, bits)))


def rounded(value: float, type: str) -> float:
    """A float as one of a type."""
    if type == "f64" or value != value:
        return value
    if type == "f32":
        try:
            return struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    return floats.to_float(floats.from_float(value, type), type)


def _quotient(a: float, b: float) -> float:
    if b:
        return a / b
    if a != a or not a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _remainder(a: float, b: float) -> float:
    if a != a or b != b or math.isinf(a) or not b:
        return math.nan
    return math.fmod(a, b)


def _extreme(of: Callable[[float, float], float], *, keeps_nan: bool) -> Callable[[float, float], float]:
    def extreme(a: float, b: float) -> float:
        if a != a or b != b:
            return math.nan if keeps_nan or (a != a and b != b) else b if a != a else a
        if a == b:
            # Of two zeros the one that counts as greater or smaller.
            return a or of(math.copysign(1.0, a), math.copysign(1.0, b)) * 0.0
        return of(a, b)

    return extreme


FLOAT: Final[Mapping[str, Callable[[float, float], float]]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": _quotient,
    "rem": _remainder,
    "maximum": _extreme(max, keeps_nan=True),
    "minimum": _extreme(min, keeps_nan=True),
    "maxnum": _extreme(max, keeps_nan=False),
    "minnum": _extreme(min, keeps_nan=False),
}


_HOLDS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15)
"""For each predicate by its number in MLIR (`false`, `oeq`, … `ord`, `ueq`, … `uno`, `true`) where it holds: a bit for
each of equal, greater, less and unordered."""


def compare_floats(predicate: int, a: float, b: float) -> int:
    """By the numbers of the predicates in MLIR."""
    is_unordered = a != a or b != b
    case = 8 if is_unordered else 1 if a == b else 2 if a > b else 4
    return int(bool(_HOLDS[predicate] & case))


def to_integer(value: float, bits: int) -> int:
    """The integer towards zero; zero for what is none."""
    return int(value) % (1 << bits) if math.isfinite(value) else 0


def _domain(of: Callable[[float], float]) -> Callable[[float], float]:
    def apply(value: float) -> float:
        try:
            return of(value)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return apply


def _logarithm(of: Callable[[float], float]) -> Callable[[float], float]:
    return lambda value: -math.inf if not value else _domain(of)(value)


def _even(value: float) -> float:
    return math.copysign(float(round(value)), value) if math.isfinite(value) else value


def _whole(of: Callable[[float], int]) -> Callable[[float], float]:
    return lambda value: math.copysign(float(of(value)), value) if math.isfinite(value) else value


FUNCTIONS: Final[Mapping[str, Callable[[float], float]]] = {
    "absf": abs,
    "sqrt": _domain(math.sqrt),
    "rsqrt": lambda value: _quotient(1.0, _domain(math.sqrt)(value)),
    "exp": _domain(math.exp),
    "exp2": _domain(lambda value: 2.0**value),
    "expm1": _domain(math.expm1),
    "log": _logarithm(math.log),
    "log2": _logarithm(math.log2),
    "log10": _logarithm(math.log10),
    "log1p": lambda value: -math.inf if value == -1.0 else _domain(math.log1p)(value),
    "sin": _domain(math.sin),
    "cos": _domain(math.cos),
    "tan": _domain(math.tan),
    "tanh": math.tanh,
    "sinh": _domain(math.sinh),
    "cosh": _domain(math.cosh),
    "atan": math.atan,
    "asin": _domain(math.asin),
    "acos": _domain(math.acos),
    "acosh": _domain(math.acosh),
    "asinh": _domain(math.asinh),
    "atanh": lambda value: math.copysign(math.inf, value) if abs(value) == 1.0 else _domain(math.atanh)(value),
    "cbrt": math.cbrt,
    "erf": math.erf,
    "erfc": math.erfc,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "roundeven": _even,
    "round": lambda value: math.copysign(float(math.floor(abs(value) + 0.5)), value) if math.isfinite(value) else value,
}
"""Functions of one float, by what math calls them."""
