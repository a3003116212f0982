"""Attributes of one enumeration: the words that they may be, as code reads and writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import Attribute, EnumAttr, IntegerAttr
from fathom.ir.dialect_values import DialectAttr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.operation import Operation
    from fathom.irdl.parametric import Parametric


def cases_of(definition: Parametric) -> Mapping[str, int]:
    """The words that an attribute may be, and their numbers."""
    from fathom.irdl.parameters import EnumerationKind

    kind = definition.parameters[0].kind
    return kind.enumeration.cases if isinstance(kind, EnumerationKind) else {}


def case_of(definition: Parametric, word: str) -> Attribute | None:
    """The attribute that a word stands for, or None."""
    number = cases_of(definition).get(word)
    made = definition.make(value=number) if number is not None else None
    return made if isinstance(made, Attribute) else None


def word_of(attribute: Attribute | None) -> str:
    """The word that an attribute is; empty for none."""
    if isinstance(attribute, EnumAttr):
        return attribute.word
    return attribute.definition.word(attribute.parameters) if isinstance(attribute, DialectAttr) else ""


def number_of(attribute: Attribute | None) -> int | None:
    """The number of the case that an attribute of an enumeration is, or the bits of the set; None for any other."""
    if isinstance(attribute, EnumAttr):
        return attribute.value
    number = attribute.parameters[0] if isinstance(attribute, DialectAttr) and word_of(attribute) else None
    return number if isinstance(number, int) else None


def word(op: Operation, prop: str) -> str:
    """The word that a property of an operation is, also where it is stored as a number; empty where it is not there."""
    attribute = op.properties.get(prop)
    if not isinstance(attribute, IntegerAttr) or op.definition is None:
        return word_of(attribute)
    cases = next((declared.constraint.cases for declared in op.definition.properties if declared.name == prop), None)
    return next((word for word, number in (cases or {}).items() if number == attribute.value), "")


def bits(op: Operation, prop: str) -> int:
    """The number that a property is: the bits of a set."""
    attribute = op.properties.get(prop)
    number = attribute.parameters[0] if isinstance(attribute, DialectAttr) and attribute.parameters else 0
    return number if isinstance(number, int) else 0
