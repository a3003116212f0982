"""Which of two operations runs before the other, as far as the order of a text tells: not where they run again and
again.

Source of the rules: `OneShotAnalysis.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fathom.bufferization.regions import ancestor_in, exclude_each_other
from fathom.ir.chain import stands_before
from fathom.ir.dominators import DominatorTree
from fathom.ir.operation import Block
from fathom.ir.traversal import is_inside
from fathom.irdl.traits import GRAPH_REGION

if TYPE_CHECKING:
    from fathom.bufferization.state import AnalysisState
    from fathom.bufferization.uses import Use
    from fathom.ir.operation import Operation, Region, Value


class Order:
    """What is found out of regions, once for each, while no operation moves."""

    def __init__(self, state: AnalysisState) -> None:
        self._state = state
        self._trees: dict[Region, DominatorTree] = {}
        self._repetitive: dict[Region, Region | None] = {}
        self._excluding: dict[tuple[Operation, Operation], bool] = {}

    def is_before(self, op: Operation, other: Operation) -> bool:
        """Whether an operation, or one around it, dominates another, which is not in it."""
        around: Operation | None = op
        while around is not None:
            if around is not other and is_inside(other, around):
                return False
            if self._dominates(around, other):
                return True
            around = around.parent_op
        return False

    def _dominates(self, op: Operation, other: Operation) -> bool:
        around = ancestor_in(other, op.parent_region)
        if around is None or op.parent is None or around.parent is None:
            return False
        if around.parent is op.parent:
            # Where operations are in no order, each comes before each, itself too.
            return has_no_order(op) or (around is not op and stands_before(op, around))
        return self._tree(op.parent.parent).dominates(op.parent, around.parent)

    def _tree(self, region: Region | None) -> DominatorTree:
        assert region is not None, "blocks of operations stand in a region"
        tree = self._trees.get(region)
        if tree is None:
            tree = self._trees[region] = DominatorTree(region)
        return tree

    def exclude_each_other(self, a: Operation, b: Operation) -> bool:
        """Whether only one of two operations runs, each time what is around both does."""
        excluding = self._excluding.get((a, b))
        if excluding is None:
            excluding = self._excluding[a, b] = self._excluding[b, a] = exclude_each_other(a, b)
        return excluding

    # ---- regions that run again

    def repetitive_region(self, region: Region | None) -> Region | None:
        """The innermost region that runs again: this one, or one around it."""
        visited: list[Region] = []
        around = region
        while around is not None:
            if around in self._repetitive:
                around = self._repetitive[around]
                break
            visited.append(around)
            if self._runs_again(around):
                break
            around = _around(around)
        for passed in visited:
            self._repetitive[passed] = around
        return around

    def _runs_again(self, region: Region) -> bool:
        op = region.parent
        model = self._state.model(op)
        return op is not None and model is not None and model.is_repetitive(op, op.regions.index(region))

    def parallel_region(self, region: Region | None) -> Region | None:
        """The innermost region that runs several times at once: this one, or one around it."""
        while region is not None:
            op = region.parent
            model = self._state.model(op)
            if op is not None and model is not None and model.is_parallel(op, op.regions.index(region)):
                return region
            region = _around(region)
        return None

    # ---- whether order says anything

    def decides(self, read: Use, write: Use, definitions: Iterable[Value]) -> bool:
        """Whether a read and a write are in the order of the text each time that one of the definitions is made."""
        return all(
            self._decides_regions(read.op, write.op, definition) and self._decides_blocks(read.op, write.op, definition)
            for definition in definitions
        )

    def _decides_regions(self, read: Operation, write: Operation, definition: Value) -> bool:
        block = definition.parent_block
        outer = self.repetitive_region(block.parent if block is not None else None)
        inner = self.repetitive_region(read.parent_region)
        if inner is outer:
            return True
        # The outermost of the regions around the read that run again for one definition.
        while inner is not None:
            following = self.repetitive_region(_around(inner))
            if following is outer:
                break
            inner = following
        return inner is None or inner.parent is None or not is_inside(write, inner.parent)

    def _decides_blocks(self, read: Operation, write: Operation, definition: Value) -> bool:
        if read.parent_region is not write.parent_region or read.parent is None or write.parent is None:
            return True
        barred = definition.parent_block
        return not (leads_to(read.parent, write.parent, barred) and leads_to(write.parent, read.parent, barred))


def _around(region: Region) -> Region | None:
    """The region in which the operation stands that a region belongs to."""
    return region.parent.parent_region if region.parent is not None else None


def has_no_order(op: Operation) -> bool:
    """Whether an operation stands in a region whose operations are in no order."""
    return op.parent_op is not None and op.parent_op.has(GRAPH_REGION)


def leads_to(block: Block, goal: Block, barred: Block | None) -> bool:
    """Whether control may come from the end of a block to another one, without a third."""
    seen = {barred} if barred is not None else set[Block]()
    pending = list(block.successors)
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        if current is goal:
            return True
        seen.add(current)
        pending += current.successors
    return False
