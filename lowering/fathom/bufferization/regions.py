"""Which regions may run again, at the same time, or one instead of another; and what ends them.

Source of the rules: `RegionBranchOpInterface` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl.interfaces import RegionBranch
from fathom.irdl.traits import TERMINATOR

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region


REGION_BRANCH: Final = "RegionBranchOpInterface"


def branches_into_regions(op: Operation) -> bool:
    """Whether control goes through the regions of an operation as it says itself (`RegionBranchOpInterface`)."""
    if op.interface(RegionBranch) is not None:
        return True
    return op.definition is not None and REGION_BRANCH in op.definition.trait_names


def is_reachable(op: Operation, start: Region, goal: Region) -> bool:
    """Whether control may come from the end of one region of an operation to the beginning of another, or of the same
    one again."""
    seen: set[Region] = set()
    pending = _after(op, start)
    while pending:
        region = pending.pop()
        if region is goal:
            return True
        if region not in seen:
            seen.add(region)
            pending += _after(op, region)
    return False


def _after(op: Operation, region: Region) -> list[Region]:
    """The regions that control may go to from the end of one."""
    branch = op.interface(RegionBranch)
    regions: list[Region] = []
    for block in region.blocks if branch is not None else ():
        end = block.last
        if branch is not None and end is not None and end.has(TERMINATOR) and not end.successors:
            edges = branch.leave(op, end, [None] * len(end.operands))
            regions += (edge.target for edge in edges if edge.target is not None)
    return regions


def may_run_again(op: Operation, index: int) -> bool:
    """Whether a region of an operation may run more than once each time the operation does."""
    if op.interface(RegionBranch) is None:
        return False
    region = op.regions[index]
    return is_reachable(op, region, region)


def exclude_each_other(a: Operation, b: Operation) -> bool:
    """Whether two operations stand in regions of which only one runs."""
    outer = a.parent_op
    while outer is not None:
        if outer.interface(RegionBranch) is not None:
            mine, other = region_of(a, outer), region_of(b, outer)
            if mine is not None and other is not None:
                is_one = mine is other or is_reachable(outer, mine, other) or is_reachable(outer, other, mine)
                if not is_one:
                    return True
        outer = outer.parent_op
    return False


def region_of(op: Operation, outer: Operation) -> Region | None:
    """The region of an operation in which another stands; None where it stands in none."""
    region = op.parent_region
    while region is not None and region.parent is not outer:
        around = region.parent
        region = around.parent_region if around is not None else None
    return region


def ancestor_in(op: Operation, region: Region | None) -> Operation | None:
    """The operation of a region that is another, or in which that stands."""
    around: Operation | None = op
    while around is not None and around.parent_region is not region:
        around = around.parent_op
    return around
