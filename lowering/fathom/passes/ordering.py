"""Regions in which order does not matter, in an order in which each operation comes behind what it uses.

Source of the rules: `TopologicalSortUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.traits import GRAPH_REGION, TERMINATOR

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation


def sort_graphs(root: Operation) -> None:
    """Sorts the blocks of all graph regions."""
    for op in list(root.walk_postorder()):
        if op.definition is not None and op.has(GRAPH_REGION):
            for region in op.regions:
                for block in region.blocks:
                    sort(block)


def sort(block: Block) -> None:
    """Keeps the order where it can: of the operations that are left, those that are ready move to the front, again and
    again. Where none is, since they use each other, the first stays."""
    left = {op: None for op in block if op is not block.last or not op.has(TERMINATOR)}
    place = block.first
    while left:
        moved = False
        for op in list(left):
            if not _is_ready(op, left):
                continue
            del left[op]
            moved = True
            if op is place:
                place = op.next
            else:
                op.unlink()
                block.insert_before(op, place)
        if not moved and place is not None:
            left.pop(place, None)
            place = place.next


def _is_ready(op: Operation, left: dict[Operation, None]) -> bool:
    """Whether all that the operation uses, and what is nested in it, is there."""
    for inner in op.walk():
        for maker in inner.definers:
            above: Operation | None = maker
            while above is not None and above is not op:
                if above in left:
                    return False
                above = above.parent_op
    return True
