"""Perfect nests of affine loops in another order.

Source of the rules: `LoopUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ops.affine import ForOp
from fathom.passes.affine.accesses import all_distances
from fathom.passes.affine.nests import perfect_nest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.passes.affine.accesses import Distance
    from fathom.rewriting.rewriter import Rewriter


def may_permute(distances: Sequence[Sequence[Distance]], order: Sequence[int]) -> bool:
    """Whether no dependence would run backward if each loop came to its place in `order`."""
    inverse = sorted(range(len(order)), key=lambda place: order[place])
    for apart in distances:
        for place in inverse:
            least = apart[place].least
            if least is None or least < 0:
                return False
            if least > 0:
                break
    return True


def sink_sequential(loop: ForOp, rewriter: Rewriter) -> ForOp:
    """Has the loops of a nest that carry no dependence be the outer ones, if that is right; the outermost then."""
    loops = perfect_nest(loop, ForOp)
    if len(loops) < 2:
        return loop
    apart = all_distances([*loop.walk_postorder()], len(loops))
    is_parallel = [
        all(distance[place].least == distance[place].greatest == 0 for distance in apart) for place in range(len(loops))
    ]
    outer = sum(is_parallel)
    order: list[int] = []
    for place, parallel in enumerate(is_parallel):
        before = sum(is_parallel[:place])
        order.append(before if parallel else outer + place - before)
    return permute(loops, order, rewriter) if may_permute(apart, order) else loop


def permute(loops: Sequence[ForOp], order: Sequence[int], rewriter: Rewriter) -> ForOp:
    """Brings the loops of a perfect nest each to its place in `order`; the outermost then."""
    if len(loops) < 2:
        return loops[0]
    inverse = sorted(range(len(order)), key=lambda place: order[place])
    innermost, last = loops[inverse[-1]], loops[-1]
    if innermost is not last:
        body, anchor = innermost.region.entry, innermost.region.entry.first
        for op in [*last.region.entry][:-1]:
            rewriter.move_before(op, body, anchor)
    for place in reversed(range(len(loops))):
        loop = loops[place]
        if order[place] == 0:
            if place and loops[0].parent is not None:
                rewriter.move_before(loop, loops[0].parent, loops[0])
            continue
        above = inverse[order[place] - 1]
        if place and place - 1 == above:
            continue
        body = loops[above].region.entry
        rewriter.move_before(loop, body, body.first)
    return loops[inverse[0]]
