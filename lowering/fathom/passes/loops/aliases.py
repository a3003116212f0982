"""Whether two buffers may share memory, as far as what makes them tells.

Source of the rules: `LocalAliasAnalysis` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.view_flow import is_view
from fathom.ir.operation import BlockArgument
from fathom.ir.traversal import ancestors
from fathom.irdl.interfaces import EffectKind, FunctionLike
from fathom.rewriting.effects import own_effects
from fathom.rewriting.folding import constant_value

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


def may_alias(one: Value, other: Value) -> bool:
    """Both seen through views."""
    first, second = seen_through_views(one), seen_through_views(other)
    if first is second:
        return True
    if constant_value(first) is not None:
        return constant_value(second) is not None or not _is_allocated(second)
    if constant_value(second) is not None:
        return not _is_allocated(first)
    if _is_allocated(first) == _is_allocated(second):
        return not _is_allocated(first)
    made, given = (first, second) if _is_allocated(first) else (second, first)
    return not _is_from_outside(given, made)


def seen_through_views(value: Value) -> Value:
    """The buffer that a value is, seen otherwise."""
    while (op := value.defining_op) is not None and is_view(op):
        value = op.operands[0]
    return value


def _is_allocated(value: Value) -> bool:
    op = value.defining_op
    effects = own_effects(op) if op is not None else None
    return any(effect.kind is EffectKind.ALLOCATE and effect.value is value for effect in effects or ())


def _is_from_outside(value: Value, made: Value) -> bool:
    """Whether a value was there before the function ran in which another one is allocated."""
    maker = made.defining_op
    scope = next((op for op in _around(maker) if op.interface(FunctionLike) is not None), None)
    owner = value.parent_block.parent.parent if value.parent_block and value.parent_block.parent else None
    if scope is None or owner is None:
        return False
    if owner is scope:
        return isinstance(value, BlockArgument) and value.block.is_entry
    return any(op is owner for op in ancestors(scope))


def _around(op: Operation | None) -> list[Operation]:
    return [*ancestors(op)] if op is not None else []
