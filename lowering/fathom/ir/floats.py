"""Floating-point semantics: bit patterns, exact values, and the decimal text that MLIR prints for them.

A value is kept as its bit pattern, so that every type, also those that Python has no float for, is exact.
Source of the rules: *Builtin Dialect*, "Floating-Point Types"; the text is that of LLVM's `APFloat::toString`.
"""

from __future__ import annotations

import math
import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.records import record
from fathom.text.digits import shortened_digits

if TYPE_CHECKING:
    from fractions import Fraction


@record
class Semantics:
    """`special` says how infinities and NaNs are encoded: `ieee`; `fn` (no infinity, NaN has all bits set); `fnuz` (no
    infinity, no negative zero, whose pattern is the NaN); `finite` (neither)."""

    width: int
    exponent: int
    mantissa: int
    bias: int
    special: str = "ieee"
    signed: bool = True
    explicit_integer_bit: bool = False

    @property
    def precision(self) -> int:
        return self.mantissa + 1

    @property
    def minimum_exponent(self) -> int:
        return 1 - self.bias

    @property
    def maximum_exponent(self) -> int:
        return (1 << self.exponent) - 1 - self.bias - (self.special == "ieee")


LLVM_NAMES: Final = {
    "f16": "half",
    "bf16": "bfloat",
    "f32": "float",
    "f64": "double",
    "f80": "x86_fp80",
    "f128": "fp128",
}
"""The floats that LLVM has, with its names for them. All others are integers there, of their bits."""

SEMANTICS: Final[dict[str, Semantics]] = {
    "f16": Semantics(16, 5, 10, 15),
    "bf16": Semantics(16, 8, 7, 127),
    "tf32": Semantics(19, 8, 10, 127),
    "f32": Semantics(32, 8, 23, 127),
    "f64": Semantics(64, 11, 52, 1023),
    "f80": Semantics(80, 15, 63, 16383, explicit_integer_bit=True),
    "f128": Semantics(128, 15, 112, 16383),
    "f8E5M2": Semantics(8, 5, 2, 15),
    "f8E4M3": Semantics(8, 4, 3, 7),
    "f8E4M3FN": Semantics(8, 4, 3, 7, "fn"),
    "f8E5M2FNUZ": Semantics(8, 5, 2, 16, "fnuz"),
    "f8E4M3FNUZ": Semantics(8, 4, 3, 8, "fnuz"),
    "f8E4M3B11FNUZ": Semantics(8, 4, 3, 11, "fnuz"),
    "f8E3M4": Semantics(8, 3, 4, 3),
    "f8E8M0FNU": Semantics(8, 8, 0, 127, "fn", signed=False),
    "f6E3M2FN": Semantics(6, 3, 2, 3, "finite"),
    "f6E2M3FN": Semantics(6, 2, 3, 1, "finite"),
    "f4E2M1FN": Semantics(4, 2, 1, 1, "finite"),
}


def _split(bits: int, s: Semantics) -> tuple[int, int, int]:
    """Sign, biased exponent and mantissa; the mantissa of f80 keeps its integer bit."""
    stored = s.mantissa + s.explicit_integer_bit
    mantissa = bits & ((1 << stored) - 1)
    exponent = bits >> stored & ((1 << s.exponent) - 1)
    return (bits >> (stored + s.exponent) & 1 if s.signed else 0), exponent, mantissa


def is_nan(bits: int, name: str) -> bool:
    s = SEMANTICS[name]
    sign, exponent, mantissa = _split(bits, s)
    top = (1 << s.exponent) - 1
    match s.special:
        case "ieee":
            return exponent == top and mantissa & ((1 << s.mantissa) - 1) != 0
        case "fn":
            return exponent == top and mantissa == (1 << s.mantissa) - 1
        case "fnuz":
            return sign == 1 and exponent == 0 and mantissa == 0
        case _:
            return False


def is_infinity(bits: int, name: str) -> bool:
    s = SEMANTICS[name]
    _, exponent, mantissa = _split(bits, s)
    return s.special == "ieee" and exponent == (1 << s.exponent) - 1 and mantissa & ((1 << s.mantissa) - 1) == 0


def is_negative(bits: int, name: str) -> bool:
    return _split(bits, SEMANTICS[name])[0] == 1


def to_fraction(bits: int, name: str) -> Fraction:
    """The exact value of a finite pattern."""
    from fractions import Fraction

    numerator, denominator = to_ratio(bits, name)
    return Fraction(-numerator if is_negative(bits, name) else numerator, denominator)


def to_ratio(bits: int, name: str) -> tuple[int, int]:
    """The exact value of a finite pattern without its sign: a numerator and a denominator without common divisors."""
    s = SEMANTICS[name]
    _, exponent, significand = _split(bits, s)
    if s.explicit_integer_bit:
        exponent = max(exponent, 1)
    elif exponent == 0 and s.mantissa:
        exponent = 1
    else:
        significand |= 1 << s.mantissa
    scale = exponent - s.bias - s.mantissa
    if scale >= 0:
        return significand << scale, 1
    common = min((significand & -significand).bit_length() - 1, -scale) if significand else -scale
    return significand >> common, 1 << (-scale - common)


def to_float(bits: int, name: str) -> float:
    """The nearest Python float; exact for every type up to f64."""
    if is_nan(bits, name):
        return math.nan
    if is_infinity(bits, name):
        return -math.inf if is_negative(bits, name) else math.inf
    value = to_fraction(bits, name)
    if value == 0:
        return -0.0 if is_negative(bits, name) else 0.0
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def infinity(name: str, *, negative: bool = False) -> int:
    """The pattern of infinity, or of the NaN that stands for an overflow where there is no infinity."""
    s = SEMANTICS[name]
    sign = int(negative and s.signed)
    top = (1 << s.exponent) - 1
    match s.special:
        case "ieee":
            mantissa = 1 << s.mantissa if s.explicit_integer_bit else 0
            return sign << (s.width - 1) | top << (s.mantissa + s.explicit_integer_bit) | mantissa
        case "fn":
            return sign << (s.width - 1) | top << s.mantissa | (1 << s.mantissa) - 1
        case "fnuz":
            return 1 << (s.width - 1)
        case _:
            return sign << (s.width - 1) | (1 << (s.width - 1)) - 1


def largest(name: str, *, negative: bool = False) -> int:
    """The pattern of the number that is farthest from zero."""
    s = SEMANTICS[name]
    stored = s.mantissa + s.explicit_integer_bit
    magnitude = (1 << (s.exponent + stored)) - 1
    if s.special == "ieee":
        magnitude -= 1 << stored
    elif s.special == "fn":
        magnitude -= 1
    return int(negative and s.signed) << (s.width - 1) | magnitude


def nan(name: str, *, negative: bool = False) -> int:
    """The pattern of the quiet NaN."""
    s = SEMANTICS[name]
    pattern = infinity(name, negative=negative)
    return pattern | 1 << (s.mantissa - 1) if s.special == "ieee" else pattern


def from_fraction(value: Fraction, name: str, *, negative_zero: bool = False) -> int:
    """The pattern of `value`, rounded as `from_ratio` does."""
    numerator, denominator = value.as_integer_ratio()
    is_below = numerator < 0 or (negative_zero and not numerator)
    return from_ratio(abs(numerator), denominator, name, negative=is_below)


def from_ratio(numerator: int, denominator: int, name: str, *, negative: bool = False) -> int:
    """The pattern of a value that is zero or more, or of its negative, rounded to nearest, ties to even; an overflow
    gives infinity, or NaN where there is none."""
    s = SEMANTICS[name]
    sign = int(negative and s.signed)
    if not numerator:
        return sign << (s.width - 1) if s.special != "fnuz" else 0
    exponent = numerator.bit_length() - denominator.bit_length()
    if numerator << max(-exponent, 0) < denominator << max(exponent, 0):
        exponent -= 1
    exponent = max(exponent, s.minimum_exponent if s.mantissa else -s.bias)
    shift = s.mantissa - exponent
    whole = denominator << max(-shift, 0)
    significand, rest = divmod(numerator << max(shift, 0), whole)
    significand += 2 * rest > whole or (2 * rest == whole and significand & 1)
    if significand >> (s.mantissa + 1):
        significand >>= 1
        exponent += 1
    hidden = significand >> s.mantissa
    biased = exponent + s.bias if hidden else 0
    top = (1 << s.exponent) - 1
    if biased > top or (biased == top and s.special == "ieee"):
        return infinity(name, negative=bool(sign))
    stored = significand if s.explicit_integer_bit else significand & ((1 << s.mantissa) - 1)
    bits = biased << (s.mantissa + s.explicit_integer_bit) | stored
    if sign and (bits or s.special != "fnuz"):
        bits |= 1 << (s.width - 1)
    if s.special in ("fn", "fnuz") and is_nan(bits, name):
        return infinity(name, negative=bool(sign))
    return bits


def from_integer(value: int, name: str) -> int:
    """The pattern of an integer, rounded as `from_ratio` does."""
    return from_ratio(abs(value), 1, name, negative=value < 0)


def from_float(value: float, name: str) -> int:
    """The pattern of a Python float, rounded to nearest, ties to even."""
    if name == "f64":
        return int.from_bytes(struct.pack(">d", value))
    if math.isnan(value):
        return nan(name)
    if math.isinf(value):
        return infinity(name, negative=value < 0)
    return from_ratio(*abs(value).as_integer_ratio(), name, negative=math.copysign(1.0, value) < 0)


@lru_cache(maxsize=4096)
def spell_float(bits: int, name: str) -> str:
    """The text of a value: six digits when they are enough, else all digits, else hexadecimal."""
    if is_nan(bits, name) or is_infinity(bits, name):
        return f"0x{bits:X}"
    value, sign = to_ratio(bits, name), "-" if is_negative(bits, name) else ""
    if not value[0]:
        return f"{sign}0.000000e+00"
    digits, exponent = shortened_digits(*value, 6)
    read = from_ratio(int(digits) * 10 ** max(exponent, 0), 10 ** max(-exponent, 0), name, negative=bool(sign))
    if read == bits:
        return sign + _spell_scientific(digits, exponent, 6, 0)
    s = SEMANTICS[name]
    precision, padding = 2 + s.precision * 59 // 196, 3
    digits, exponent = shortened_digits(*value, precision)
    if _is_scientific(len(digits), exponent, precision, padding):
        return sign + _spell_scientific(digits, exponent, precision, padding)
    full = sign + _spell_plain(digits, exponent)
    return full if "." in full else f"0x{bits:X}"


def _is_scientific(count: int, exponent: int, precision: int, padding: int) -> bool:
    if padding == 0:
        return True
    if exponent >= 0:
        return exponent > padding or count + exponent > precision
    leading = exponent + count - 1
    return leading < 0 and -leading > padding


def _spell_scientific(digits: str, exponent: int, precision: int, padding: int) -> str:
    exponent += len(digits) - 1
    sign = "+" if exponent >= 0 else "-"
    if padding == 0:
        fraction = digits[1:].ljust(precision, "0")
        return f"{digits[0]}.{fraction}e{sign}{abs(exponent):02d}"
    return f"{digits[0]}.{digits[1:] or '0'}E{sign}{abs(exponent)}"


def _spell_plain(digits: str, exponent: int) -> str:
    if exponent >= 0:
        return digits + "0" * exponent
    whole = len(digits) + exponent
    if whole > 0:
        return f"{digits[:whole]}.{digits[whole:]}"
    return f"0.{'0' * -whole}{digits}"
