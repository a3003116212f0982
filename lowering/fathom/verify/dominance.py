"""Which blocks dominate which, and whether each use of a value stands where the value is defined.

Source of the rules: *MLIR Language Reference*, "Control Flow and SSACFG Regions".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fathom.ir.custom_text import is_kept_text
from fathom.ir.dominators import DominatorTree
from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.verify.order import is_graph, is_in_order


def misplaced_operands(root: Operation) -> Iterator[tuple[Operation, int]]:
    """Each operation with the index of an operand that does not dominate it, the first of each operation only.

    Goes through the regions of `root` and those nested in them, but for regions isolated from above, which are the
    business of their own operation.
    """
    if not is_in_order(root):
        yield from _misplaced_operands(root)


def _misplaced_operands(root: Operation) -> Iterator[tuple[Operation, int]]:
    met: dict[Operation, int] = {}
    """The operations that were met already, numbered in the order of each block."""

    def before(one: Operation, other: Operation) -> bool:
        first, second = met.get(one), met.get(other)
        if second is None:
            return one.is_before_in_block(other)
        return first is not None and first < second

    dominance = Dominance(before)
    regions: list[Region] = list(reversed(root.regions))
    while regions:
        region = regions.pop()
        inner: list[Region] = []
        for block in region.blocks:
            op = block.first
            while op is not None:
                is_plain = _has_plain_operands(op, block, met)
                met[op] = len(met)
                if not is_plain and (index := dominance.misplaced(op)) >= 0:
                    yield op, index
                if op.regions and not op.has(ISOLATED_FROM_ABOVE):
                    inner += op.regions
                op = op.next
        regions += reversed(inner)


def _has_plain_operands(op: Operation, block: Block, met: Mapping[Operation, int]) -> bool:
    """Whether all operands are arguments of the block of an operation, or come from operations before it there: those
    in `met`. So it is with most."""
    for operand in op.operands:
        if isinstance(operand, OpResult):
            if operand.op.parent is not block or operand.op not in met:
                return False
        elif not isinstance(operand, BlockArgument) or operand.block is not block:
            return False
    return True


class Dominance:
    """Whether uses of values in the regions of an operation are dominated by the values' definitions, asked of one
    operation at a time. `before` tells which of two operations of a block stands first."""

    def __init__(self, before: Callable[[Operation, Operation], bool]) -> None:
        self._before = before
        self._trees: dict[Region, DominatorTree] = {}

    def forget(self, region: Region) -> None:
        """To be told when a region is gone, or a block of it came, went or goes on to others than before."""
        self._trees.pop(region, None)

    def forget_all(self) -> None:
        """To be told when that may be true of any region."""
        self._trees.clear()

    def misplaced(self, op: Operation) -> int:
        """The index of the first operand that does not dominate `op`, or -1."""
        block = op.parent
        region = block.parent if block is not None else None
        if block is None or region is None or is_kept_text(op):
            return -1
        if not region.has_one_block and not self._tree(region).reaches(block):
            return -1
        for index, operand in enumerate(op.operands):
            if isinstance(operand, OpResult):
                definer = operand.op
                if definer.parent is block:
                    if (definer is not op and self._before(definer, op)) or is_graph(region):
                        continue
                    return index
            elif isinstance(operand, BlockArgument):
                if operand.block is block:
                    continue
            else:
                continue
            if not self._dominates_from_outside(operand, op):
                return index
        return -1

    def _dominates_from_outside(self, value: Value, op: Operation) -> bool:
        """Whether a value of another block dominates `op`."""
        home = value.parent_block
        if home is None:
            return True
        definer = value.defining_op
        ancestor: Operation | None = op
        while ancestor is not None and ancestor.parent is not None and ancestor.parent.parent is not home.parent:
            ancestor = ancestor.parent_op
        if ancestor is None or ancestor.parent is None:
            # The text of an unknown operation may name what is meant in all of its regions.
            around = home.parent.parent if home.parent is not None else None
            return around is not None and is_kept_text(around)
        if ancestor.parent is home:
            if definer is None or is_graph(home.parent):
                return True
            return definer is not ancestor and self._before(definer, ancestor)
        region = home.parent
        if region is None:
            return True
        return self._tree(region).dominates(home, ancestor.parent)

    def _tree(self, region: Region) -> DominatorTree:
        tree = self._trees.get(region)
        if tree is None:
            tree = self._trees[region] = DominatorTree(region)
        return tree


def users_across_blocks(region: Region) -> dict[Operation, None]:
    """The operations that do not stand in the block of a region in which a value is defined that they use."""
    ops: dict[Operation, None] = {}
    for block in region.blocks:
        for argument in block.arguments:
            ops.update((user, None) for user in argument.uses if user.parent is not block)
        op = block.first
        while op is not None:
            for result in op.results:
                for user in result.uses:
                    if user.parent is not block:
                        ops[user] = None
            op = op.next
    return ops


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
