"""Hovers of numbers: the same in other bases, the bits of a float, and the case of an enumeration."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from fathom.ir.attributes import FloatAttr, IntegerAttr
from fathom.ir.floats import is_infinity, is_nan, is_negative, to_fraction
from fathom.ir.types import I1, IndexType, IntegerType, Type
from fathom.text.beginnings import beginning
from fathom_server.features.hover.texts import LONGEST as LONGEST_TYPE
from fathom_server.features.hover.texts import Said, brief, cases_line, code
from fathom_server.model.written import Number, UntypedNumber

LONGEST: Final = 80
"""Of a number so many digits are shown."""
MOST_BITS: Final = 32
"""A number of more bits is not shown in base 2."""
INDEX_BITS: Final = 64
SEPARATOR: Final = " · "


def number_line(number: IntegerAttr | FloatAttr) -> str:
    """A number in other bases, in one line; empty where there is nothing to add to `true`."""
    if isinstance(number, FloatAttr):
        return SEPARATOR.join(_of_float(number))
    return SEPARATOR.join(_of_integer(number.value, number.type)) if number.type != I1 else ""


def number_text(subject: Number) -> Said:
    """A number as it is written, with its type, and in other bases; and the case that it stands for."""
    number, case = subject.value, subject.case
    head = (code(f"{beginning(subject.text, LONGEST_TYPE)} : {brief(number.type)}"), number_line(number))
    if case is None:
        return Said(head)
    meant = f"`{case.word}`, as `{case.property.name}` of `{case.op.name}`"
    return Said((*head, meant), (cases_line(case.cases, case.word),))


def untyped_text(subject: UntypedNumber) -> Said:
    """A number of which nobody knows what type it has, as it is written; an integer in other bases too."""
    text = subject.text
    bases = SEPARATOR.join(_of_integer(int(text), None)) if text.isdecimal() else ""
    return Said((code(beginning(text, LONGEST)), bases))


def _of_integer(value: int, type: Type | None) -> list[str]:
    """As it is read, in base 16 and in base 2; of a negative one the bits, and what they are without a sign."""
    bits = value & ((1 << _width(type)) - 1) if value < 0 else value
    texts = [f"`{_cut(str(value))}`", f"`0x{_cut(f'{bits:X}')}`"]
    if bits.bit_length() <= MOST_BITS:
        texts.append(f"`0b{bits:b}`")
    if value < 0:
        texts.append(f"without a sign `{_cut(str(bits))}`")
    return texts


def _width(type: Type | None) -> int:
    """The bits of an integer of this type."""
    match type:
        case IntegerType(width):
            return width
        case IndexType() | _:
            return INDEX_BITS


def _of_float(number: FloatAttr) -> list[str]:
    """As it is read, exactly where that is another number, its bits, and as C writes it in base 16."""
    name, bits = number.type.name, number.bits
    shown = f"bits `0x{bits:0{-(-number.type.width // 4)}X}`"
    if is_nan(bits, name):
        return ["not a number", shown]
    if is_infinity(bits, name):
        return ["minus infinity" if is_negative(bits, name) else "infinity", shown]
    texts, exact = [f"`{number.spell_value()}`"], to_fraction(bits, name)
    if (decimal := _decimal(exact)) and Fraction(number.spell_value()) != exact:
        texts.append(f"exactly `{decimal}`")
    texts.append(shown)
    if number.type.width <= 64:
        mantissa, _, exponent = number.value.hex().partition("p")
        texts.append(f"`{mantissa.rstrip('0').rstrip('.')}p{exponent}`")
    return texts


def _decimal(value: Fraction) -> str:
    """The digits of a fraction whose denominator is a power of two; its beginning if there are many."""
    places = value.denominator.bit_length() - 1
    if places > 2 * LONGEST:
        return ""
    digits = str(abs(value.numerator) * 5**places).rjust(places + 1, "0")
    whole, rest = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if value < 0 else "") + _cut(f"{whole}.{rest}" if rest else whole)


def _cut(text: str) -> str:
    return beginning(text, LONGEST)
