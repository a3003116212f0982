"""Which blocks dominate which, and whether each use of a value stands where the value is defined.

Source of the rules: *MLIR Language Reference*, "Control Flow and SSACFG Regions". The dominator tree is found as in
Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm* (2001).
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.irdl.traits import GRAPH_REGION, ISOLATED_FROM_ABOVE


class DominatorTree:
    """The dominator tree of a region's blocks. A block that the entry does not reach is in no tree."""

    __slots__ = ("_first", "_last")

    def __init__(self, region: Region) -> None:
        self._first: dict[Block, int] = {}
        self._last: dict[Block, int] = {}
        entry = region.first
        if entry is None:
            return
        order = _postorder(entry)
        children: dict[Block, list[Block]] = {}
        for block, dominator in _immediate_dominators(order, entry).items():
            if block is not entry:
                children.setdefault(dominator, []).append(block)
        self._number(entry, children)

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


def _postorder(entry: Block) -> list[Block]:
    found: list[Block] = []
    seen = {entry}
    stack: list[tuple[Block, Iterator[Block]]] = [(entry, iter(entry.successors))]
    while stack:
        block, successors = stack[-1]
        for successor in successors:
            if successor not in seen and successor.parent is entry.parent:
                seen.add(successor)
                stack.append((successor, iter(successor.successors)))
                break
        else:
            stack.pop()
            found.append(block)
    return found


def _immediate_dominators(postorder: list[Block], entry: Block) -> dict[Block, Block]:
    number = {block: index for index, block in enumerate(postorder)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in postorder}
    for block in postorder:
        for successor in block.successors:
            if successor in number:
                predecessors[successor].append(block)
    dominator: dict[Block, Block] = {entry: entry}
    changed = True
    while changed:
        changed = False
        for block in reversed(postorder):
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


def misplaced_operands(root: Operation) -> Iterator[tuple[Operation, int]]:
    """Each operation with the index of an operand that does not dominate it, the first of each operation only.

    Goes through the regions of `root` and those nested in them, but for regions isolated from above, which are the
    business of their own operation.
    """
    trees: dict[Region, DominatorTree] = {}
    seen: set[Operation] = set()
    regions: list[Region] = list(reversed(root.regions))
    while regions:
        region = regions.pop()
        if region.first is None:
            continue
        has_one_block = region.first is region.last
        if not has_one_block:
            trees[region] = DominatorTree(region)
        inner: list[Region] = []
        for block in region.blocks:
            is_reached = has_one_block or trees[region].reaches(block)
            op = block.first
            while op is not None:
                if is_reached:
                    index = _misplaced(op, block, seen, trees)
                    if index >= 0:
                        yield op, index
                seen.add(op)
                if op.regions and not op.has(ISOLATED_FROM_ABOVE):
                    inner += op.regions
                op = op.next
        regions += reversed(inner)


def _misplaced(op: Operation, block: Block, seen: set[Operation], trees: dict[Region, DominatorTree]) -> int:
    """The index of the first operand that does not dominate `op`, or -1.

    `seen` are the operations of this block, and of the regions around, that were met already."""
    for index, operand in enumerate(op.operands):
        if isinstance(operand, OpResult):
            definer = operand.op
            if definer.parent is block:
                if definer in seen or _is_graph(block.parent):
                    continue
                return index
        elif isinstance(operand, BlockArgument):
            if operand.block is block:
                continue
        else:
            continue
        if not _dominates_from_outside(operand, op, trees):
            return index
    return -1


def _dominates_from_outside(value: Value, op: Operation, trees: dict[Region, DominatorTree]) -> bool:
    """Whether a value of another block dominates `op`."""
    home = value.parent_block
    if home is None:
        return True
    definer = value.defining_op
    ancestor: Operation | None = op
    while ancestor is not None and ancestor.parent is not None and ancestor.parent.parent is not home.parent:
        ancestor = ancestor.parent_op
    if ancestor is None or ancestor.parent is None:
        return False
    if ancestor.parent is home:
        if definer is None:
            return True
        if definer is ancestor:
            return False
        return _is_graph(home.parent) or definer.is_before_in_block(ancestor)
    region = home.parent
    if region is None:
        return True
    tree = trees.get(region)
    if tree is None:
        tree = trees[region] = DominatorTree(region)
    return tree.dominates(home, ancestor.parent)


def _is_graph(region: Region | None) -> bool:
    """Whether order does not matter in a region; in one of an unknown operation it may not."""
    op = region.parent if region is not None else None
    return op is None or op.definition is None or op.definition.has(GRAPH_REGION)


def where_defined(value: Value, op: Operation) -> str:
    """The remark that tells where a misplaced operand of `op` is defined, as MLIR words it."""
    here, home = op.parent, value.parent_block
    mine, its = here.parent if here is not None else None, home.parent if home is not None else None
    if isinstance(value, BlockArgument):
        number = list(its.blocks).index(value.block) if its is not None else 0
        start = f"operand defined as a block argument (block #{number}"
        if mine is its:
            return f"{start} in the same region)"
        if _is_around(its, mine):
            return f"{start} in a parent region)"
        if _is_around(mine, its):
            return f"{start} in a child region)"
        return f"{start} neither in a parent nor in a child region)"
    if here is home:
        return "operand defined here (op in the same block)"
    if mine is its:
        return "operand defined here (op in the same region)"
    if _is_around(its, mine):
        return "operand defined here (op in a parent region)"
    if _is_around(mine, its):
        return "operand defined here (op in a child region)"
    return "operand defined here (op is neither in a parent nor in a child region)"


def _is_around(outer: Region | None, inner: Region | None) -> bool:
    """Whether `inner` is nested in `outer`, and is not it."""
    region = inner
    while region is not None:
        region = region.parent.parent_region if region.parent is not None else None
        if region is outer and region is not None:
            return True
    return False
