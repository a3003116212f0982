"""Which blocks dominate which, across regions: an operation stands for all that is nested in it.

Source of the rules: `DominanceInfo` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fathom.ir.dominators import DominatorTree, dominated_blocks

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value


def ancestor_in_block(op: Operation | None, block: Block) -> Operation | None:
    """The operation of a block that is another, or in which that stands; None where it stands elsewhere."""
    while op is not None and op.parent is not block:
        op = op.parent_op
    return op


def block_in(block: Block | None, region: Region | None) -> Block | None:
    """The block of a region that is another, or in which that is nested; None where it is elsewhere."""
    while block is not None and block.parent is not region:
        block = around(block)
    return block


def around(block: Block) -> Block | None:
    """The block in which the operation stands that a block belongs to."""
    op = block.parent.parent if block.parent is not None else None
    return op.parent if op is not None else None


class Dominance:
    """What is found out of regions, once for each, while no block comes or goes."""

    def __init__(self) -> None:
        self._trees: dict[Region, DominatorTree] = {}
        self._parents: dict[Region, dict[Block, Block]] = {}

    def _tree(self, region: Region) -> DominatorTree:
        tree = self._trees.get(region)
        if tree is None:
            tree = self._trees[region] = DominatorTree(region)
        return tree

    def properly_dominates(self, block: Block, other: Block) -> bool:
        """Whether every way to a block, which is another one, goes through the first; so it is of a block and one that
        is nested in it."""
        inner = block_in(other, block.parent)
        if inner is None or block is other:
            return False
        return inner is block or (block.parent is not None and self._tree(block.parent).dominates(block, inner))

    def dominates(self, block: Block, other: Block) -> bool:
        """The same, or that both are one."""
        return block is other or self.properly_dominates(block, other)

    def is_before(self, op: Operation, other: Operation) -> bool:
        """Whether an operation comes before another each time that this is come to; not one that is around it."""
        block = op.parent
        inner = block_in(other.parent, block.parent) if block is not None else None
        if block is None or inner is None:
            return False
        if inner is not block:
            return self.properly_dominates(block, inner)
        ancestor = ancestor_in_block(other, block)
        return ancestor is not None and ancestor is not op and op.is_before_in_block(ancestor)

    def is_there(self, value: Value, op: Operation) -> bool:
        """Whether an operation may use a value where it stands."""
        maker, home = value.defining_op, value.parent_block
        if maker is not None:
            return self.is_before(maker, op)
        return home is not None and op.parent is not None and self.dominates(home, op.parent)

    def immediate(self, block: Block) -> Block | None:
        """The last block of its region through which every way to a block goes; None for the first."""
        region = block.parent
        entry = region.first if region is not None else None
        if region is None or entry is None:
            return None
        parents = self._parents.get(region)
        if parents is None:
            children = dominated_blocks(entry)
            parents = self._parents[region] = {child: above for above, below in children.items() for child in below}
        return parents.get(block)

    def nearest_common(self, blocks: Iterable[Block]) -> Block | None:
        """The last block that dominates all of these, or in which they are nested."""
        common: Block | None = None
        for block in blocks:
            common = block if common is None else self._common(common, block)
            if common is None:
                return None
        return common

    def _common(self, one: Block, other: Block) -> Block | None:
        mine: Block | None = one
        theirs: Block | None = None
        while mine is not None:
            theirs = block_in(other, mine.parent)
            if theirs is not None:
                break
            mine = around(mine)
        while mine is not None and theirs is not None and not self.dominates(mine, theirs):
            mine = self.immediate(mine)
        return mine
