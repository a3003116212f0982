"""Where several definitions of a variable meet: the blocks that need an argument for it.

They are the iterated dominance frontier of the blocks that define it, as far as it is read there or later. It is found
as in Sreedhar and Gao, *A linear time algorithm for placing φ-nodes* (1995): the deepest blocks in the dominator tree
first, each visited once.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from fathom.ir.dominators import dominated_blocks

if TYPE_CHECKING:
    from collections.abc import Collection

    from fathom.ir.operation import Block, Region


class DominatorLevels:
    """The dominator tree of a region whose blocks stay, with how deep each is in it."""

    def __init__(self, region: Region) -> None:
        self.entry = region.entry
        self.children = dominated_blocks(self.entry)
        self.levels: dict[Block, int] = {self.entry: 0}
        pending = [self.entry]
        while pending:
            block = pending.pop()
            for child in self.children.get(block, ()):
                self.levels[child] = self.levels[block] + 1
                pending.append(child)

    def merge_points(self, defining: Collection[Block], live: Collection[Block]) -> set[Block]:
        """The blocks in which definitions meet, of those in which the variable is `live` when they begin."""
        blocks: set[Block] = set()
        queue: list[tuple[int, int, Block]] = []
        queued, visited = set["Block"](), set["Block"]()
        for block in defining:
            if block in self.levels and block not in queued:
                queued.add(block)
                heappush(queue, (-self.levels[block], len(queued), block))
        while queue:
            root = heappop(queue)[2]
            below = [root]
            visited.add(root)
            while below:
                block = below.pop()
                for successor in block.successors:
                    level = self.levels.get(successor)
                    if level is None or level > self.levels[root] or successor in blocks or successor not in live:
                        continue
                    blocks.add(successor)
                    if successor not in queued:
                        queued.add(successor)
                        heappush(queue, (-self.levels[successor], len(queued), successor))
                for child in self.children.get(block, ()):
                    if child not in visited:
                        visited.add(child)
                        below.append(child)
        return blocks


def live_blocks(reading: Collection[Block], defining: Collection[Block]) -> set[Block]:
    """The blocks that begin with a variable that is read there, or later before it is defined anew. Those that are
    `reading` do so before they define it."""
    blocks: set[Block] = set()
    pending = list(reading)
    while pending:
        block = pending.pop()
        if block not in blocks:
            blocks.add(block)
            pending += (predecessor for predecessor in block.predecessors() if predecessor not in defining)
    return blocks
