"""Of what the checks of nvvm's operations are made: what their operands and properties say, and rules over these."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.llvm.types import LLVMPointerType, LLVMStructType
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.cases import word
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Check

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

Condition: TypeAlias = "Callable[[Operation], bool]"

GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL, SHARED_CLUSTER = 0, 1, 3, 4, 5, 7
"""The address spaces of a GPU."""


# ---- what an operation says


def space(op: Operation, operand: str) -> int | None:
    """The address space of an operand that is a pointer."""
    type = op.one_of(operand).type
    return type.address_space if isinstance(type, LLVMPointerType) else None


def extents(op: Operation, prop: str = "shape") -> tuple[int, ...]:
    """The numbers of a shape."""
    attribute = op.properties.get(prop)
    numbers = attribute.parameters if isinstance(attribute, DialectAttr) else ()
    return tuple(number for number in numbers if isinstance(number, int))


def members(type: Type) -> tuple[Type, ...] | None:
    """The types in a structure; None for another type."""
    return type.body or () if isinstance(type, LLVMStructType) else None


# ---- rules


def refuse(message: str, when: Condition) -> Check:
    """A rule that an operation breaks for which `when` holds."""
    return lambda op: message if when(op) else None


def refuse_bare(message: str, when: Condition) -> Check:
    """The same, whose message does not name the operation."""
    return lambda op: bare(message) if when(op) else None


def is_word(prop: str, *words: str) -> Condition:
    return lambda op: word(op, prop) in words


def is_not(prop: str, *words: str) -> Condition:
    return lambda op: word(op, prop) not in words


def has(operand: str) -> Condition:
    return lambda op: bool(op.all_of(operand))


def both(*conditions: Condition) -> Condition:
    return lambda op: all(condition(op) for condition in conditions)
