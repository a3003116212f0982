"""The decimal digits of numbers: how many are written, and those of floats, as LLVM shortens them."""

from __future__ import annotations

from typing import Final

MOST_DECIMAL: Final = 14_000
"""A number of more bits stands in hexadecimal: what decimal text costs grows with the square of its length."""


def shortened_digits(numerator: int, denominator: int, precision: int) -> tuple[str, int]:
    """At most `precision` decimal digits of a value above 0, without zeros at the end, and the power of ten of the
    last; the denominator is a power of two, and has no divisor in common with the numerator.

    As APFloat does it: the binary significand is first divided by a power of ten that leaves just enough bits, and
    truncated; only what is left is rounded, half up. So 0.7, just below seven tenths, has the digits 699999.
    """
    exponent = 1 - denominator.bit_length()
    significand = numerator * 5**-exponent
    bits, required = significand.bit_length(), (precision * 196 + 58) // 59
    removable = max(bits - required, 0) * 59 // 196
    digits = str(significand // 10**removable)
    exponent += removable
    if len(digits) > precision:
        cut = len(digits) - precision
        exponent += cut
        digits = str(int(digits[:precision]) + (digits[precision] >= "5"))
    short = digits.rstrip("0")
    return short, exponent + len(digits) - len(short)
