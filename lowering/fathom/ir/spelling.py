"""How names, strings and numbers are written in types and attributes.

Source of the rules: *MLIR Language Reference*, "Identifiers and keywords", "Attribute Value Aliases".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from fathom.cached import of_short_text
from fathom.ir.floats import spell_float
from fathom.ir.types import I1, FloatType, Type
from fathom.text.digits import MOST_DECIMAL
from fathom.text.escapes import quote


def spell_element(value: int | tuple[int, int], type: Type) -> str:
    """One element of a dense attribute, without its type."""
    if isinstance(value, tuple):
        element = getattr(type, "element", type)
        return f"({spell_element(value[0], element)},{spell_element(value[1], element)})"
    if isinstance(type, FloatType):
        return spell_float(value, type.name)
    if type == I1:
        return "true" if value else "false"
    return spell_integer(value)


def spell_integer(number: int) -> str:
    """The text of an integer, which reads back as the same."""
    return str(number) if number.bit_length() <= MOST_DECIMAL else f"{'-' * (number < 0)}0x{abs(number):X}"


def spell_numbers(numbers: Iterable[int]) -> str:
    """Numbers with commas between them, as messages have lists of them."""
    return ", ".join(map(str, numbers))


@of_short_text
def spell_key(name: str) -> str:
    """The name of an entry of a dictionary, quoted where it must be."""
    return name if is_bare_identifier(name, dotted=True) else quote(name)


_BARE: Final = re.compile(r"[A-Za-z_][\w$]*", re.ASCII)
_DOTTED: Final = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)


def spell_symbol(name: str) -> str:
    """`@name`, quoted where it must be; as MLIR writes it where it is none."""
    if not name:
        return "@<<INVALID EMPTY SYMBOL>>"
    return f"@{name}" if is_bare_identifier(name, dotted=True) else f"@{quote(name)}"


def is_bare_identifier(name: str, *, dotted: bool = False) -> bool:
    """Whether `name` needs no quotes: a letter or `_`, then letters, digits, `_`, `$` and, if `dotted`, `.`."""
    return bool((_DOTTED if dotted else _BARE).fullmatch(name))
