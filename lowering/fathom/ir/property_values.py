"""What properties of operations hold, where they are of the kind that is asked for."""

from __future__ import annotations

from typing import Final, overload

from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
    UnitAttr,
    dict_attr,
)
from fathom.ir.operation import Operation
from fathom.ir.types import Type

WHOLE: Final = "$whole"
"""The key of an attribute that stands for all properties of an operation, and is no dictionary or an empty one. Only
what no definition covers has it."""


def properties_as(stated: Attribute) -> dict[str, Attribute]:
    """The properties of an operation that no definition covers, from one attribute."""
    return dict(stated.entries) if isinstance(stated, DictAttr) and stated.entries else {WHOLE: stated}


def properties_of(op: Operation) -> Attribute:
    """The properties of an operation that no definition covers, as one attribute."""
    return op.properties.get(WHOLE) or dict_attr(op.properties)


@overload
def integer_property(op: Operation, name: str) -> int | None: ...


@overload
def integer_property(op: Operation, name: str, otherwise: int) -> int: ...


def integer_property(op: Operation, name: str, otherwise: int | None = None) -> int | None:
    """The value of an integer; `otherwise` where there is none."""
    attribute = op.properties.get(name)
    return attribute.value if isinstance(attribute, IntegerAttr) else otherwise


def flag_property(op: Operation, name: str) -> bool:
    """Whether what is there or not, or true or false, holds."""
    attribute = op.properties.get(name)
    return isinstance(attribute, UnitAttr) or (isinstance(attribute, IntegerAttr) and bool(attribute.value))


def numbers_property(op: Operation, name: str) -> tuple[int, ...]:
    """The numbers of a dense array, such as `static_offsets`; none where there is none."""
    attribute = op.properties.get(name)
    return attribute.values if isinstance(attribute, DenseArrayAttr) else ()


def numbers_of(attribute: Attribute | None) -> list[int]:
    """The numbers of an array, dense or not; none of what is no array."""
    if isinstance(attribute, DenseArrayAttr):
        return list(attribute.values)
    elements = attribute.elements if isinstance(attribute, ArrayAttr) else ()
    return [element.value for element in elements if isinstance(element, IntegerAttr)]


def elements_property(op: Operation, name: str) -> tuple[Attribute, ...]:
    """The elements of an array; none where there is none."""
    attribute = op.properties.get(name)
    return attribute.elements if isinstance(attribute, ArrayAttr) else ()


def type_property(op: Operation, name: str = "type") -> Type | None:
    """The type that an operation states."""
    attribute = op.properties.get(name)
    return attribute.type if isinstance(attribute, TypeAttr) else None


def text_property(op: Operation, name: str) -> str | None:
    """The value of a string; None where there is none."""
    attribute = op.properties.get(name)
    return attribute.value if isinstance(attribute, StringAttr) else None
