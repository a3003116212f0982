"""The enumerations of the omp dialect: attributes that stand in clauses as a bare word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.parameters import EnumerationKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.operation import Operation
    from fathom.irdl.parametric import Parametric


def attribute_named(name: str) -> Parametric:
    """The definition of an attribute of the dialect, by the name that constraints have for it."""
    from fathom.dialects.omp import DESCRIPTION

    return DESCRIPTION.attributes[name]


def definition_for(op_name: str, prop: str) -> Parametric:
    """The definition of the attribute that a property of an operation holds."""
    from fathom.dialects.omp import DESCRIPTION

    found = DESCRIPTION.operations[op_name].property_map[prop].constraint.definition
    assert found is not None, f"{op_name} holds an attribute of the dialect as {prop}"
    return found


def cases_of(definition: Parametric) -> Mapping[str, int]:
    """The words that an attribute may be, and their numbers."""
    kind = definition.parameters[0].kind
    return kind.enumeration.cases if isinstance(kind, EnumerationKind) else {}


def case_of(definition: Parametric, word: str) -> Attribute | None:
    """The attribute that a word stands for, or None."""
    number = cases_of(definition).get(word)
    made = definition.make(value=number) if number is not None else None
    return made if isinstance(made, Attribute) else None


def word_of(attribute: Attribute | None) -> str:
    """The word that an attribute is; empty for none."""
    return attribute.spell_stripped(str).strip(" (){}") if isinstance(attribute, DialectAttr) else ""


def word(op: Operation, prop: str) -> str:
    """The word that a property of an operation is; empty where it is not there."""
    return word_of(op.properties.get(prop))


def bits(op: Operation, prop: str) -> int:
    """The number that a property is: the bits of a set."""
    attribute = op.properties.get(prop)
    number = attribute.parameters[0] if isinstance(attribute, DialectAttr) and attribute.parameters else 0
    return number if isinstance(number, int) else 0
