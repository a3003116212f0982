"""Copies of a part of memory onto itself, which bufferization leaves where a part of a tensor was changed in place and
put back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.onlookers import onlooker
from fathom.ops.memref import CopyOp, SubviewOp

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def drop_idle_copies(module: Operation) -> None:
    """Erases what copies memory onto itself, and the views that only that needed."""
    watched = onlooker()
    for op in list(module.walk()):
        if not isinstance(op, CopyOp):
            continue
        views = [value.defining_op for value in (op.source, op.target)]
        if op.source is not op.target and not _are_one_part(*views):
            continue
        if watched is not None:
            watched.dropped(op)
        op.erase()
        for view in views:
            if isinstance(view, SubviewOp) and view.parent is not None and not view.result.uses:
                view.erase()


def _are_one_part(one: Operation | None, other: Operation | None) -> bool:
    """Whether two operations show the same part of the same memory."""
    return (
        isinstance(one, SubviewOp)
        and isinstance(other, SubviewOp)
        and len(one.operands) == len(other.operands)
        and all(a is b for a, b in zip(one.operands, other.operands, strict=True))
        and one.properties == other.properties
        and one.result.type == other.result.type
    )
