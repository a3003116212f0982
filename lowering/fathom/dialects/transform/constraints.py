"""The constraints of transform that only C++ says: what a handle stands for, and which operations.

Source of the rules: *Transform Dialect*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.transform import handles as h
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import UnknownType

if TYPE_CHECKING:
    from fathom.irdl.terms import Test


def _handle_to(name: str) -> Callable[[object], bool]:
    """A handle to operations of one name."""

    def accepts(type: object) -> bool:
        if isinstance(type, UnknownType):
            return True
        return isinstance(type, DialectType) and type.full_name == "transform.op" and type.parameters[0] == name

    return accepts


PREDICATES: Final[Mapping[str, Test]] = {
    h.OPERATIONS: h.IS_OPERATION,
    h.PARAMETERS: h.IS_PARAMETER,
    h.VALUES: h.IS_VALUE,
    "TransformAnyHandle": h.stands_for(h.OPERATIONS, h.VALUES),
    "TransformAnyParamTypeOrAnyHandle": h.stands_for(h.OPERATIONS, h.PARAMETERS),
    "Transform_AnyHandleOrParamType": h.IS_ANY,
    "Transform_AnyHandleType": h.stands_for(h.OPERATIONS, h.VALUES),
    "Transform_AllocTensorOp": _handle_to("bufferization.alloc_tensor"),
    "Transform_EmptyOp": _handle_to("tensor.empty"),
    "Transform_MemRefAllocOp": _handle_to("memref.alloc"),
    "Transform_MemRefAllocaOp": _handle_to("memref.alloca"),
    "Transform_ScfForOp": _handle_to("scf.for"),
}
"""What decides each constraint."""
