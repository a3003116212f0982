"""Loops that run once, without the loop around what they do.

Source of the rules: `promoteIfSingleIteration` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import identity_map
from fathom.ir.traversal import closest_with
from fathom.ir.types import INDEX
from fathom.irdl.interfaces import FunctionLike
from fathom.passes.affine.trip_counts import constant_trip_count, lower_bound
from fathom.passes.arithmetic import constant

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.affine import ForOp
    from fathom.rewriting.rewriter import Rewriter


def promote_single_iteration(loop: ForOp, rewriter: Rewriter) -> bool:
    """Puts the body of a loop that is known to run once in the place of the loop; whether it is such a loop."""
    if constant_trip_count(loop) != 1 or len(loop.lowerBoundMap.map.results) != 1:
        return False
    body, block = loop.region.entry, loop.parent
    assert block is not None, "a loop stands in a block"
    induction, *carried = body.arguments
    if induction.uses:
        with rewriter.elsewhere():
            rewriter.stand_in(loop)
            rewriter.replace_all_uses(induction, _only_index(loop, rewriter))
    for argument, initial in zip(carried, loop.inits, strict=True):
        rewriter.replace_all_uses(argument, initial)
    end = body.end
    for result, value in zip(loop.results, end.operands, strict=True):
        rewriter.replace_all_uses(result, value)
    rewriter.erase(end)
    for op in list(body):
        rewriter.move_before(op, block, loop)
    rewriter.erase(loop)
    return True


def _only_index(loop: ForOp, rewriter: Rewriter) -> Value:
    """What the variable of the loop is: a number at the beginning of the function, or what the bound is made of."""
    number = constant_bound(loop.lowerBoundMap)
    map, values = lower_bound(loop)
    rewriter.set_insertion_before(loop)
    if number is not None:
        function = closest_with(loop, FunctionLike)
        if function is not None:
            rewriter.set_insertion_to_start(function.regions[0].entry)
        return constant(rewriter, number)
    if map == identity_map(1):
        return values[0]
    return rewriter.create("affine.apply", values, [INDEX], {"map": loop.lowerBoundMap}).result


def operations_in(op: Operation) -> int:
    """How many operations there are in the regions of one."""
    return sum(1 for _ in op.walk()) - 1
