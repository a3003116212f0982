"""Loops in loops: the innermost ones, and those with nothing between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from fathom.ops import scf
from fathom.ops.affine import ForOp

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

L = TypeVar("L", ForOp, scf.ForOp)


def innermost_loops(root: Operation) -> list[ForOp]:
    """The loops that hold no other, in order."""
    holds: set[Operation] = set()
    innermost: list[ForOp] = []
    for op in root.walk_postorder():
        parent = op.parent_op
        if isinstance(op, ForOp) and op not in holds:
            innermost.append(op)
        if parent is not None and (isinstance(op, ForOp) or op in holds):
            holds.add(parent)
    return innermost


def perfect_nest(root: L, kind: type[L]) -> list[L]:
    """A loop, the one of its kind that is all that it does, and so on."""
    nest = [root]
    while True:
        body = nest[-1].region.entry
        first = body.first
        if not isinstance(first, kind) or first.next is not body.last:
            return nest
        nest.append(first)
