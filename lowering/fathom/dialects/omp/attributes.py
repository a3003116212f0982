"""The enumerations of the omp dialect: attributes that stand in clauses as a bare word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects import own_description

if TYPE_CHECKING:
    from fathom.irdl.parametric import Parametric


def attribute_named(name: str) -> Parametric:
    """The definition of an attribute of the dialect, by the name that constraints have for it."""
    return own_description("omp").attributes[name]


def definition_for(op_name: str, prop: str) -> Parametric:
    """The definition of the attribute that a property of an operation holds."""
    found = own_description("omp").operations[op_name].property_map[prop].constraint.definition
    assert found is not None, f"{op_name} holds an attribute of the dialect as {prop}"
    return found
