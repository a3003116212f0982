"""Which operands a result may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.memref import ReallocOp


def grown(op: ReallocOp) -> list[tuple[Value, Value]]:
    """What is large enough already stays where it is."""
    return [(op.source, op.result)]


VIEW_FLOW: Final = {"memref.realloc": grown}
