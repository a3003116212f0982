"""What the table of renames cannot say: a rule for an operation of a release, and what becomes of types and attributes.

A rule belongs to the first release of LLVM in which it is so, and to the name that the operation has before. It reads
types as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.context import Context
from fathom.editions.renames import type_today
from fathom.ir.attributes import EnumAttr, UnknownAttr
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.element_printer import Element
from fathom.ir.types import POISON, Type, UnknownType
from fathom.modernising.elements import Rule
from fathom.modernising.former_types import opaque
from fathom.modernising.reading import attribute_of, type_of
from fathom.modernising.rewriting import OpRule, last_release
from fathom.modernising.rules import llvm, moved, structured

RULES: Final[Mapping[tuple[int, str], OpRule]] = {**llvm.RULES, **moved.RULES, **structured.RULES}


def _written(text: str, edition: int) -> str:
    """The text of an attribute or a type as it is written today."""
    name, bracket, rest = text.partition("<")
    today = type_today(name, f"{bracket}{rest}") if bracket else None
    return today[0] if today is not None and today[1] > edition else text


def element_rules(edition: Context, today: Context) -> tuple[Rule, ...]:
    """What becomes of types and attributes, one rule after the other."""

    def reread(element: Element) -> Element:
        """What a dialect defines by data, by its definition of today."""
        if not isinstance(element, (DialectAttr, DialectType, EnumAttr, UnknownAttr, UnknownType)):
            return element
        if element == POISON:
            return element
        dialect = element.full_name.partition(".")[0]
        before = str(element)
        text = _written(before, last_release(edition))
        if edition.dialect(dialect) is today.dialect(dialect) and text == before:
            return element
        return (type_of(text, today) if isinstance(element, Type) else attribute_of(text, today)) or element

    return opaque, reread
