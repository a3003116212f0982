"""Which blocks of a region dominate which: every way from the entry to a block goes through those that dominate it.

The tree is found by semidominators, as in Georgiadis, Tarjan and Werneck, *Finding Dominators in Practice* (2006),
which takes no longer where a chain of blocks is long.
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
    """The immediate dominators of blocks, of which `order` is the postorder. The entry is its own."""
    blocks, parents = _depth_first(entry)
    number = {block: index for index, block in enumerate(blocks)}
    predecessors: list[list[int]] = [[] for _ in blocks]
    for index, block in enumerate(blocks):
        for successor in block.last.successors if block.last is not None else ():
            if (place := number.get(successor)) is not None:
                predecessors[place].append(index)
    semi = _semidominators(parents, predecessors)
    dominator = list(parents)
    for index in range(1, len(blocks)):
        above = parents[index]
        while above > semi[index]:
            above = dominator[above]
        dominator[index] = above
    return {block: blocks[dominator[number[block]]] for block in reversed(order)}


def _depth_first(entry: Block) -> tuple[list[Block], list[int]]:
    """The blocks that the entry reaches in depth-first order, and the number of that from which each is reached."""
    blocks, parents = [entry], [0]
    seen = {entry}
    stack = [(0, iter(entry.successors))]
    while stack:
        number, rest = stack[-1]
        for successor in rest:
            if successor not in seen and successor.parent is entry.parent:
                seen.add(successor)
                blocks.append(successor)
                parents.append(number)
                if (last := successor.last) is not None and last.successors:
                    stack.append((len(blocks) - 1, iter(last.successors)))
                    break
        else:
            stack.pop()
    return blocks, parents


def _semidominators(parents: list[int], predecessors: list[list[int]]) -> list[int]:
    """For each block, numbered in depth-first order, the first from which a way leads to it over later blocks alone."""
    semi, best, ancestors = list(range(len(parents))), list(range(len(parents))), list(parents)

    def least(block: int, last: int) -> int:
        """Of the blocks from `last` on through which the tree leads to `block`, that of the least semidominator."""
        path: list[int] = []
        while ancestors[block] >= last:
            path.append(block)
            block = ancestors[block]
        for below in reversed(path):
            ancestors[below] = ancestors[block]
            if semi[best[block]] < semi[best[below]]:
                best[below] = best[block]
            block = below
        return best[block]

    for index in range(len(parents) - 1, 0, -1):
        semi[index] = parents[index]
        for before in predecessors[index]:
            semi[index] = min(semi[index], semi[least(before, index + 1)])
    return semi
