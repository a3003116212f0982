"""The order in which operations stand, each after what dominates it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fathom.ir.operation import Operation, Region
from fathom.ir.traversal import postorder

if TYPE_CHECKING:
    from fathom.ir.operation import Block


class Order:
    """The numbers of the operations in a region, in an order in which each comes after what dominates it. They are
    given when somebody asks, and anew when one that has none is asked about."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._numbers: dict[Operation, int] = {}

    def sorted(self, ops: Iterable[Operation]) -> list[Operation]:
        """Operations of the region in this order."""
        listed = list(ops)
        if not all(op in self._numbers for op in listed):
            self._numbers = {}
            self._number()
        return sorted(listed, key=lambda op: self._numbers.get(op, -1))

    def _number(self) -> None:
        pending: list[Region | Block | Operation] = [self._region]
        while pending:
            current = pending.pop()
            if isinstance(current, Region):
                pending += reversed(blocks_by_dominance(current))
            elif isinstance(current, Operation):
                self._numbers[current] = len(self._numbers)
                pending += reversed(current.regions)
            else:
                pending += reversed(list(current))


def blocks_by_dominance(region: Region) -> list[Block]:
    """The blocks of a region, each after all that dominate it; those that are not come to at the end."""
    if region.first is region.last:
        return list(region.blocks)
    blocks: dict[Block, None] = {}
    for block in region.blocks:
        if block not in blocks:
            blocks.update(dict.fromkeys(near for near in reversed(postorder(block)) if near not in blocks))
    return list(blocks)
