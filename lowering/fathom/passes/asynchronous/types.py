"""The types of the async dialect, by what passes ask of them.

Tokens, values and groups are objects of the runtime; each is counted, and freed when nobody refers to it any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import Type

if TYPE_CHECKING:
    from fathom.ir.operation import Value

TOKEN: Final = "async.token"
VALUE: Final = "async.value"
GROUP: Final = "async.group"
COUNTED: Final = frozenset((TOKEN, VALUE, GROUP))


def type_of(name: str) -> Type:
    """The type that MLIR's definitions call so, which has no parameters: `TokenType`, `CoroHandleType`, …"""
    return own_description("async").types[name].make_type()


def is_counted(value: Value) -> bool:
    """Whether references to it are counted."""
    return value.type.full_name in COUNTED


def payload_of(type: Type) -> Type | None:
    """What is inside `!async.value<…>`; None for another type."""
    if not isinstance(type, DialectType) or type.full_name != VALUE:
        return None
    parameter = type.parameter("valueType")
    return parameter if isinstance(parameter, Type) else None
