"""The blocks of a region as a graph, in which edges are led elsewhere.

On the order in which the edges to a block are met the text depends: it is that of MLIR, the newest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fathom.ir.dominators import DominatorTree, dominated_blocks
from fathom.irdl.interfaces import Branch
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value


@record
class Edge:
    """One way from the end of a block to a successor, by the number of that."""

    block: Block
    index: int

    @property
    def target(self) -> Block:
        """The block to which it leads."""
        return self.block.end.successors[self.index]

    @property
    def passed(self) -> list[Value]:
        """What the arguments of the target get."""
        return _branch(self.block.end).edges(self.block.end)[self.index].passed

    def pass_values(self, values: Sequence[Value]) -> None:
        """Has other values be passed."""
        _branch(self.block.end).change(self.block.end, {self.index: list(values)})


def _branch(op: Operation) -> Branch:
    branch = op.interface(Branch)
    assert branch is not None, "all that leads from block to block was looked at before"
    return branch


def edges_from(block: Block) -> list[Edge]:
    """The ways from a block, in the order of its successors."""
    return [Edge(block, index) for index in range(len(block.successors))]


class Graph:
    """The edges to each block, and which blocks dominate which, of the regions that come of one."""

    def __init__(self, region: Region) -> None:
        self._uses: dict[Block, dict[tuple[Operation, int], None]] = {}
        """The successors that are a block, the newest last."""
        self._trees: dict[Region, _Tree] = {}
        for block in region.blocks:
            if block.last is not None:
                self.add(block.last)

    def add(self, op: Operation) -> Operation:
        """A branch is new."""
        for index, block in enumerate(op.successors):
            self._uses.setdefault(block, {})[op, index] = None
        return op

    def erase(self, op: Operation) -> None:
        """Takes away a branch."""
        for index, block in enumerate(op.successors):
            self._uses[block].pop((op, index))
        op.erase()

    def lead(self, edge: Edge, target: Block) -> None:
        """Leads an edge to another block."""
        op = edge.block.end
        self._uses[edge.target].pop((op, edge.index))
        successors = list(op.successors)
        successors[edge.index] = target
        op.set_successors(successors)
        self._uses.setdefault(target, {})[op, edge.index] = None

    def replace(self, block: Block, other: Block) -> None:
        """Leads all edges to a block to another one."""
        for op, index in [*reversed(self._uses.get(block, {}))]:
            if op.parent is not None:
                self.lead(Edge(op.parent, index), other)

    def users(self, block: Block) -> list[Operation]:
        """The branches to a block, each once for each edge."""
        return [op for op, _ in reversed(self._uses.get(block, {}))]

    def edges_to(self, block: Block) -> list[Edge]:
        """The ways to a block."""
        uses = reversed(self._uses.get(block, {}))
        return [Edge(op.parent, index) for op, index in uses if op.parent is not None]

    def only_edge_from(self, block: Block, target: Block) -> bool:
        """Whether there is one way to a block, from another one."""
        uses = self._uses.get(target, {})
        return len(uses) == 1 and next(iter(uses))[0].parent is block

    # ---- dominance

    def _tree(self, region: Region) -> _Tree:
        tree = self._trees.get(region)
        if tree is None:
            tree = self._trees[region] = _Tree(region)
        return tree

    def forget(self, region: Region | None) -> None:
        """Blocks and edges of a region have changed."""
        if region is not None:
            self._trees.pop(region, None)

    def dominates(self, block: Block, other: Block) -> bool:
        """Whether every way to a block goes through another, or both are one."""
        return block is other or (block.parent is not None and self._tree(block.parent).dominates(block, other))

    def dominated(self, block: Block) -> list[Block]:
        """A block and all that it dominates, each before those that it dominates itself."""
        region = block.parent
        assert region is not None, "the blocks of the graph stand in regions"
        if not self._tree(region).reaches(block):
            self.forget(region)
        blocks: list[Block] = []
        pending = [block]
        while pending:
            current = pending.pop()
            blocks.append(current)
            pending += reversed(self._tree(region).children.get(current, ()))
        return blocks


class _Tree(DominatorTree):
    """The dominator tree of a region, and the blocks that each is the immediate dominator of."""

    __slots__ = ("children",)

    def __init__(self, region: Region) -> None:
        super().__init__(region)
        entry = region.entry
        order = {block: number for number, block in enumerate(preorder(entry))}
        self.children = {
            block: sorted(below, key=lambda dominated_block: order[dominated_block])
            for block, below in dominated_blocks(entry).items()
        }


def preorder(entry: Block) -> Iterator[Block]:
    """The blocks that an entry leads to, in the order in which they are met if each way is gone to its end at first."""
    seen: set[Block] = set()
    pending = [entry]
    while pending:
        block = pending.pop()
        if block not in seen and block.parent is entry.parent:
            seen.add(block)
            yield block
            pending += reversed(block.successors)


def cycles(entry: Block) -> Iterable[list[Block]]:
    """The sets of blocks each of which leads to all others of its set, inner sets not among them; what is led to comes
    first. Each set begins with the block that was met last."""
    numbers: dict[Block, int] = {}
    open_blocks: list[Block] = []
    listed: list[list[Block]] = []
    done: set[Block] = set()
    stack: list[tuple[Block, Iterator[Block]]] = []
    least: list[int] = []

    def visit(block: Block) -> None:
        numbers[block] = len(numbers)
        open_blocks.append(block)
        stack.append((block, iter(block.successors)))
        least.append(numbers[block])

    visit(entry)
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in numbers:
                visit(successor)
                break
            if successor not in done:
                least[-1] = min(least[-1], numbers[successor])
        else:
            stack.pop()
            lowest = least.pop()
            if least:
                least[-1] = min(least[-1], lowest)
            if lowest == numbers[block]:
                place = open_blocks.index(block)
                members = open_blocks[place:][::-1]
                del open_blocks[place:]
                done.update(members)
                if len(members) > 1 or block in block.successors:
                    listed.append(members)
    return listed
