"""Whether a program stands in order: each value is defined before it is used, on every way to its use.

So it is with nearly every program, and to see that takes less than to find out what is wrong with one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.dominators import dominated_blocks
from fathom.irdl.traits import GRAPH_REGION, ISOLATED_FROM_ABOVE
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Region, Value

_Step: TypeAlias = "tuple[Block | None, Operation | None, list[Value]]"
"""Where to go on, with the values that a block has defined so far: behind an operation of the block, or at its
beginning; without a block, where what it defines is not seen any more."""


def is_in_order(root: Operation) -> bool:
    """Whether it is certain that all operands in the regions of `root`, and in those nested in them, dominate their
    uses. What is isolated from above is left out.

    Blocks are gone through by the tree of dominators, regions where their operation stands: what is known in each place
    is what dominates it.
    """
    known: set[Value] = set()
    dominated: dict[Block, list[Block]] = {}
    pending: list[_Step] = []
    if not _enter(root.regions, dominated, pending):
        return False
    while pending:
        block, op, defined = pending.pop()
        if block is None:
            known.difference_update(defined)
            continue
        if op is None:
            checkpoint()
            defined = _seen_throughout(block)
            pending.append((None, None, defined))
            op = block.first
            known.update(defined)
        else:
            defined += op.results
            known.update(op.results)
            op = op.next
        while op is not None:
            if op.operands and not known.issuperset(op.operands):
                return False
            if op.regions and not op.has(ISOLATED_FROM_ABOVE):
                pending.append((block, op, defined))
                if not _enter(op.regions, dominated, pending):
                    return False
                break
            if op.results:
                defined += op.results
                known.update(op.results)
            op = op.next
        else:
            pending += [(inner, None, []) for inner in dominated.pop(block, ())]
    return True


def _enter(regions: list[Region], dominated: dict[Block, list[Block]], pending: list[_Step]) -> bool:
    """Has regions gone through next; False for one in which more has to be looked at than this does."""
    for region in regions:
        entry = region.first
        if entry is None:
            continue
        if not region.has_one_block:
            inner = dominated_blocks(entry)
            if is_graph(region) or sum(map(len, inner.values())) + 1 != sum(1 for _ in region.blocks):
                return False
            dominated.update(inner)
        pending.append((entry, None, []))
    return True


def _seen_throughout(block: Block) -> list[Value]:
    """What may be used in all of a block: its arguments, and everything where order does not matter."""
    if not is_graph(block.parent):
        return [*block.arguments]
    return [*block.arguments, *(result for op in block for result in op.results)]


def is_graph(region: Region | None) -> bool:
    """Whether order does not matter in a region; in one of an unknown operation it may not."""
    op = region.parent if region is not None else None
    return op is None or op.definition is None or op.definition.has(GRAPH_REGION)
