"""Which blocks of a region dominate which: every way from the entry to a block goes through those that dominate it.

The tree is found as in Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm* (2001).
"""

from __future__ import annotations

from fathom.ir.operation import Block, Region
from fathom.ir.traversal import postorder


class DominatorTree:
    """The dominator tree of a region's blocks. A block that the entry does not reach is in no tree."""

    __slots__ = ("_first", "_last")

    def __init__(self, region: Region) -> None:
        self._first: dict[Block, int] = {}
        self._last: dict[Block, int] = {}
        entry = region.first
        if entry is None:
            return
        self._number(entry, dominated_blocks(entry))

    def _number(self, entry: Block, children: dict[Block, list[Block]]) -> None:
        """Numbers the blocks so that a subtree is an interval."""
        clock = 0
        stack: list[tuple[Block, bool]] = [(entry, False)]
        while stack:
            block, is_done = stack.pop()
            clock += 1
            if is_done:
                self._last[block] = clock
                continue
            self._first[block] = clock
            stack.append((block, True))
            stack += [(child, False) for child in children.get(block, ())]

    def reaches(self, block: Block) -> bool:
        """Whether there is a way from the entry to `block`."""
        return block in self._first

    def dominates(self, a: Block, b: Block) -> bool:
        """Whether every way from the entry to `b` goes through `a`; a block that is not reached has no way."""
        if b not in self._first:
            return True
        if a not in self._first:
            return False
        return self._first[a] <= self._first[b] and self._last[b] <= self._last[a]


def dominated_blocks(entry: Block) -> dict[Block, list[Block]]:
    """For each block that the entry of a region reaches, those that it is the immediate dominator of."""
    children: dict[Block, list[Block]] = {}
    for block, dominator in _immediate_dominators(postorder(entry), entry).items():
        if block is not entry:
            children.setdefault(dominator, []).append(block)
    return children


def _immediate_dominators(order: list[Block], entry: Block) -> dict[Block, Block]:
    number = {block: index for index, block in enumerate(order)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for successor in block.successors:
            if successor in number:
                predecessors[successor].append(block)
    dominator: dict[Block, Block] = {entry: entry}
    changed = True
    while changed:
        changed = False
        for block in reversed(order):
            if block is entry:
                continue
            new: Block | None = None
            for other in predecessors[block]:
                if other not in dominator:
                    continue
                new = other if new is None else _meet(new, other, dominator, number)
            if new is not None and dominator.get(block) is not new:
                dominator[block] = new
                changed = True
    return dominator


def _meet(a: Block, b: Block, dominator: dict[Block, Block], number: dict[Block, int]) -> Block:
    while a is not b:
        while number[a] < number[b]:
            a = dominator[a]
        while number[b] < number[a]:
            b = dominator[b]
    return a
