"""How names, strings and floats are spelt.

A text is UTF-8 in LLVM; a byte that is none stands in the model as a surrogate (`surrogateescape`), so that nothing is
lost.

Source of the rules: *LLVM Language Reference*, "Identifiers", "Simple Constants".
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from math import isfinite
from typing import Final

from fathom.llvmir.types import BFLOAT, DOUBLE, FLOAT, FP128, HALF, PPC_FP128, X86_FP80, Type
from fathom.text.digits import shortened_digits
from fathom.text.encodings import utf8
from fathom.text.escapes import escaped, quote

_PLAIN: Final = re.compile(r"[-a-zA-Z._][-a-zA-Z0-9._]*", re.ASCII)
"""Names that need no quotes."""
_ESCAPE: Final = re.compile(rb"\\(\\|[0-9a-fA-F]{2})")
_NOT_IDENTIFIER: Final = re.compile(rb"[^-a-zA-Z0-9$._]")


def _unescaped(match: re.Match[bytes]) -> bytes:
    return match[1] if match[1] == b"\\" else bytes((int(match[1], 16),))


def unescape(text: str) -> str:
    """The text that stands so between quotes."""
    return text if "\\" not in text else unescape_bytes(text).decode("utf-8", "surrogateescape")


def unescape_bytes(text: str) -> bytes:
    """The bytes that stand so between quotes."""
    return _ESCAPE.sub(_unescaped, utf8(text))


def spell_name(name: str) -> str:
    """A name behind its sigil."""
    return name if _PLAIN.fullmatch(name) else quote(name)


def spell_identifier(name: str) -> str:
    """The name of a kind of metadata, or of named metadata, behind `!`."""
    data = utf8(name)
    if not data:
        return "<empty name> "
    rest = _NOT_IDENTIFIER.sub(escaped, data[1:]).decode("ascii")
    first = data[:1]
    return (rf"\{first[0]:02X}" if first.isdigit() else _NOT_IDENTIFIER.sub(escaped, first).decode("ascii")) + rest


# ---- floats


def spell_float(of: Type, bits: int) -> str:
    """A float: in decimals where these say all of it, else by its bits in hexadecimal."""
    if of is DOUBLE or of == DOUBLE:
        return _spell_double(bits)
    if of == FLOAT:
        return _spell_double(widened(bits))
    for kind, letter, digits, is_swapped in _HEXADECIMAL:
        if of == kind:
            text = f"{bits:0{digits}X}"
            return f"0x{letter}{text[16:]}{text[:16]}" if is_swapped else f"0x{letter}{text}"
    raise ValueError("not the type of a float")


_HEXADECIMAL: Final = (
    (HALF, "H", 4, False),
    (BFLOAT, "R", 4, False),
    (X86_FP80, "K", 20, False),
    (FP128, "L", 32, True),
    (PPC_FP128, "M", 32, True),
)
"""The letters of the types that are always written in hexadecimal, how many digits they have, and whether the lower
half comes first."""
HEXADECIMAL: Final = {letter: (digits, is_swapped) for _, letter, digits, is_swapped in _HEXADECIMAL}


def _spell_double(bits: int) -> str:
    value: float = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    if value in (0.0, 1.0):
        return f"{value:.6e}"
    if isfinite(value):
        # LLVM shortens to six digits in a way of its own, and looks whether they still give the value.
        digits, exponent = shortened_digits(*abs(value).as_integer_ratio(), 6)
        if float(f"{digits}e{exponent}") == abs(value):
            exponent += len(digits) - 1
            sign, power = "-" * (value < 0), "-" if exponent < 0 else "+"
            return f"{sign}{digits[0]}.{digits[1:]:0<6}e{power}{abs(exponent):02}"
    return f"0x{bits:X}"


_NATIVE: Final[dict[Type, tuple[str, str]]] = {FLOAT: ("f", "I"), DOUBLE: ("d", "Q")}
"""The letters of `struct` for floats that Python has, and for their bits."""


def spell_floats(of: Type, numbers: Sequence[int]) -> list[str]:
    """The texts of many floats. Most of those that weights are made of have no short one, which is seen at once."""
    native = _NATIVE.get(of)
    if native is None:
        return [spell_float(of, bits) for bits in numbers]
    count = len(numbers)
    values = struct.unpack(f"<{count}{native[0]}", struct.pack(f"<{count}{native[1]}", *numbers))
    wide = struct.unpack(f"<{count}Q", struct.pack(f"<{count}d", *values))
    return [
        f"0x{pattern:X}" if float(f"{value:.6e}") != value == value else spell_float(of, bits)
        for value, pattern, bits in zip(values, wide, numbers, strict=True)
    ]


def widened(bits: int) -> int:
    """The bits of a `float` as a `double`. What is not a number keeps its payload."""
    if bits & 0x7F800000 == 0x7F800000:
        return (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
    value: float = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    return int.from_bytes(struct.pack("<d", value), "little")


def narrowed(bits: int) -> int:
    """The bits of a `double` as a `float`."""
    if bits & (0x7FF << 52) == 0x7FF << 52:
        return (bits >> 63) << 31 | 0x7F800000 | (bits >> 29) & 0x7FFFFF
    value: float = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    try:
        return int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return (bits >> 63) << 31 | 0x7F800000


def bits_of(of: Type, text: str) -> int | None:
    """The bits of a float that is written so; None if it cannot be of the type."""
    if text.startswith("0x"):
        return _from_hexadecimal(of, text[2:])
    try:
        double = int.from_bytes(struct.pack("<d", float(text)), "little")
        if of == HALF:
            return int.from_bytes(struct.pack("<e", float(text)), "little")
    except (ValueError, OverflowError):
        return None
    return _from_double(of, double)


def _from_double(of: Type, double: int) -> int | None:
    if of == DOUBLE:
        return double
    if of == FLOAT:
        return narrowed(double)
    return narrowed(double) >> 16 if of == BFLOAT else None


def _from_hexadecimal(of: Type, text: str) -> int | None:
    try:
        form = HEXADECIMAL.get(text[:1])
        if form is None:
            return _from_double(of, int(text, 16)) if len(text) <= 16 else None
        if not any(of == kind for kind, letter, _, _ in _HEXADECIMAL if letter == text[0]):
            return None
        digits, is_swapped = form
        text = text[1:]
        if len(text) > digits:
            return None
        if is_swapped:
            text = text[16:] + text[:16]
        return int(text, 16)
    except ValueError:
        return None
