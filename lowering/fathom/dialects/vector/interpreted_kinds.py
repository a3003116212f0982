"""How vector's operations combine elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.vector.common import kind_of
from fathom.interpreting.numbers import FLOAT, INTEGER, rounded
from fathom.interpreting.values import Datum, NotUnderstood, bits_of
from fathom.ir.types import FloatType, Type

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

_KINDS: Final = {
    "add": "add",
    "mul": "mul",
    "minui": "minu",
    "minsi": "mins",
    "maxui": "maxu",
    "maxsi": "maxs",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "minnumf": "minnum",
    "maxnumf": "maxnum",
    "minimumf": "minimum",
    "maximumf": "maximum",
}


def combined(kind: str, type: Type, one: Any, other: Any) -> Datum:
    """Two elements of a type, combined. Raises NotUnderstood."""
    name = _KINDS.get(kind)
    if name is None:
        raise NotUnderstood(f"reductions by {kind}")
    if isinstance(type, FloatType):
        return rounded(FLOAT[name](one, other), type.name)
    bits = bits_of(type)
    return INTEGER[name](one, other, bits) % (1 << bits)


def kind_of_operation(op: Operation) -> str:
    """How an operation combines elements, by the word of its text."""
    return kind_of(op.properties["kind"])
