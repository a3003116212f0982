"""What properties of operations hold, where they are of the kind that is asked for."""

from __future__ import annotations

from typing import overload

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation
from fathom.ir.types import Type


@overload
def integer_property(op: Operation, name: str) -> int | None: ...


@overload
def integer_property(op: Operation, name: str, otherwise: int) -> int: ...


def integer_property(op: Operation, name: str, otherwise: int | None = None) -> int | None:
    """The value of an integer; `otherwise` where there is none."""
    found = op.properties.get(name)
    return found.value if isinstance(found, IntegerAttr) else otherwise


def flag_property(op: Operation, name: str) -> bool:
    """Whether what is there or not, or true or false, holds."""
    found = op.properties.get(name)
    return isinstance(found, UnitAttr) or (isinstance(found, IntegerAttr) and bool(found.value))


def numbers_property(op: Operation, name: str) -> tuple[int, ...]:
    """The numbers of a dense array, such as `static_offsets`; none where there is none."""
    found = op.properties.get(name)
    return found.values if isinstance(found, DenseArrayAttr) else ()


def elements_property(op: Operation, name: str) -> tuple[Attribute, ...]:
    """The elements of an array; none where there is none."""
    found = op.properties.get(name)
    return found.elements if isinstance(found, ArrayAttr) else ()


def type_property(op: Operation, name: str = "type") -> Type | None:
    """The type that an operation states."""
    found = op.properties.get(name)
    return found.type if isinstance(found, TypeAttr) else None


def text_property(op: Operation, name: str) -> str | None:
    """The value of a string; None where there is none."""
    found = op.properties.get(name)
    return found.value if isinstance(found, StringAttr) else None
