"""The attributes that the bufferization dialect puts on functions and allocations.

Source of the rules: *'bufferization' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.attributes import AffineMapAttr, Attribute, IntegerAttr, StridedLayoutAttr, StringAttr, UnknownAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I1, Type
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import EffectKind, FunctionLike, MemoryEffects
from fathom.irdl.verifying import AttributeChecks

_WRITABLE: Final = "bufferization.writable"
_ACCESS: Final = "bufferization.access"
_LAYOUT: Final = "bufferization.buffer_layout"
_DEALLOCATION: Final = "bufferization.manual_deallocation"
_ACCESSES: Final = frozenset(("none", "read", "write", "read-write"))


def _bare(message: str) -> Problem:
    return Problem(message, bare=True)


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    del value
    if name != _DEALLOCATION:
        return _bare(f"attribute '\"{name}\"' not supported as an op attribute by the bufferization dialect")
    model = op.interface(MemoryEffects)
    effects = model.effects(op) if model is not None else ()
    if op.definition is None or any(effect.kind in (EffectKind.ALLOCATE, EffectKind.FREE) for effect in effects):
        return None
    return Problem(f"attribute '{name}' can be used only on ops that have an allocation and/or free side effect")


def _on_argument(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del type
    if name == _WRITABLE:
        if not isinstance(value, IntegerAttr) or value.type != I1:
            return _bare(f"'{name}' is expected to be a boolean attribute")
        is_external = op.interface(FunctionLike) is not None and all(region.is_empty for region in op.regions)
        return _bare(f"'{name}' is invalid on external functions") if is_external else None
    if name == _ACCESS:
        if not isinstance(value, StringAttr):
            return _bare(f"'{name}' is expected to be a string attribute")
        return None if value.value in _ACCESSES else _bare(f"invalid value for '{name}'")
    if name == _LAYOUT:
        is_layout = isinstance(value, (AffineMapAttr, StridedLayoutAttr, UnknownAttr))
        return None if is_layout else _bare(f"'{name}' is expected to be a memref layout attribute")
    # MLIR names this attribute, whichever one it is.
    return _bare(f"attribute '{_LAYOUT}' not supported as a region arg attribute by the bufferization dialect")


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation, _on_argument)
