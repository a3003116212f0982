"""What the table of renames cannot say: a rule for an operation of a release, and what becomes of types and attributes.

A rule belongs to the first release of LLVM in which it is so, and to the name that the operation has before. It reads
types as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.context import Context
from fathom.dialects import attribute_definitions
from fathom.editions.renames import type_today
from fathom.ir.attributes import EnumAttr, UnknownAttr
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.element_printer import Element
from fathom.ir.types import POISON, Type, UnknownType
from fathom.irdl.parametric import Parametric
from fathom.modernising.elements import Rule
from fathom.modernising.former_types import opaque
from fathom.modernising.reading import attribute_of, type_of
from fathom.modernising.rewriting import OpRule, last_release
from fathom.modernising.rules import layouts, llvm, loops, moved, structured
from fathom.records import replace

RULES: Final[Mapping[tuple[int, str], OpRule]] = {**llvm.RULES, **loops.RULES, **moved.RULES, **structured.RULES}


def _written(text: str, edition: int) -> str:
    """The text of an attribute or a type as it is written today."""
    name, bracket, rest = text.partition("<")
    today = type_today(name, f"{bracket}{rest}") if bracket else None
    return today[0] if today is not None and today[1] > edition else text


def _defined_today(element: Element, today: Context) -> Element | None:
    """An attribute that is written otherwise today, by the definition of its class of today, if that has the same
    parameters; None for any other."""
    if not isinstance(element, DialectAttr) or not isinstance(element.definition, Parametric):
        return None
    now = attribute_definitions(element.dialect).get(element.definition.class_name)
    if now is None or now.names != element.definition.names:
        return None
    # What is implied today, its text says when it is read.
    return attribute_of(str(replace(element, definition=now)), today)


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
        read = type_of(text, today) if isinstance(element, Type) else attribute_of(text, today)
        return read or _defined_today(element, today) or element

    has_maps = "strides" in edition.language.former_words
    return (opaque, layouts.today, *([layouts.strided] if has_maps else []), reread)
