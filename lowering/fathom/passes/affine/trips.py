"""How often affine loops run, and loops that run once.

Source of the rules: `LoopAnalysis.cpp` and `LoopUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, add, divide, negate, shift
from fathom.ir.affine_simplification import simplify_map
from fathom.ir.attributes import AffineMapAttr, index_attr
from fathom.ir.traversal import closest_with
from fathom.ir.types import INDEX
from fathom.irdl.interfaces import FunctionLike

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.affine import ForOp
    from fathom.rewriting.rewriter import Rewriter

    Applied: TypeAlias = "tuple[AffineMap, list[Value]]"


def difference(one: Applied, other: Applied) -> Applied:
    """The difference of two maps of values, result by result."""
    (first, mine), (second, theirs) = one, other
    results = tuple(
        add(left, negate(shift(right, first.dims, first.symbols)))
        for left, right in zip(first.results, second.results, strict=True)
    )
    values = [*mine[: first.dims], *theirs[: second.dims], *mine[first.dims :], *theirs[second.dims :]]
    map = AffineMap(first.dims + second.dims, first.symbols + second.symbols, results)
    map, values = canonicalize(*compose(map, values))
    return simplify_map(map), values


def trip_map(loop: ForOp) -> Applied | None:
    """How often a loop runs: the least of the results of a map. None where its lower bound is the greatest of
    several."""
    step = loop.step.value
    low, high = constant_bound(loop.lowerBoundMap), constant_bound(loop.upperBoundMap)
    if low is not None and high is not None:
        return AffineMap(0, 0, (AffineConstant(-(-max(high - low, 0) // step)),)), []
    lower, upper = loop.lowerBoundMap.map, loop.upperBoundMap.map
    if len(lower.results) != 1:
        return None
    repeated = AffineMap(lower.dims, lower.symbols, lower.results * len(upper.results))
    map, values = difference((upper, loop.upperBoundOperands), (repeated, loop.lowerBoundOperands))
    results = tuple(divide("ceildiv", result, AffineConstant(step)) for result in map.results)
    return AffineMap(map.dims, map.symbols, results), values


def constant_trips(loop: ForOp) -> int | None:
    """How often a loop runs, if that is a number. As in MLIR, one below zero is a great one."""
    found = trip_map(loop)
    if found is None:
        return None
    counts = [result.value % 2**64 for result in found[0].results if isinstance(result, AffineConstant)]
    return min(counts) if counts and len(counts) == len(found[0].results) else None


def promote_if_single(loop: ForOp, rewriter: Rewriter) -> bool:
    """Puts the body of a loop that runs once in its place; whether it does."""
    lower = loop.lowerBoundMap.map
    if constant_trips(loop) != 1 or len(lower.results) != 1 or loop.parent is None:
        return False
    body = loop.region.entry
    variable, *carried = body.arguments
    if variable.uses:
        rewriter.replace_all_uses(variable, _first_index(loop, rewriter))
    for argument, value in zip(carried, loop.inits, strict=True):
        rewriter.replace_all_uses(argument, value)
    yielded = [*body.end.operands]
    for result, value in zip(loop.results, yielded, strict=True):
        rewriter.replace_all_uses(result, value)
    rewriter.erase(body.end)
    for op in [*body]:
        rewriter.move_before(op, loop.parent, loop)
    rewriter.erase(loop)
    return True


def _first_index(loop: ForOp, rewriter: Rewriter) -> Value:
    """The value of a loop's variable in its first iteration. A number is made where the function begins."""
    lower = loop.lowerBoundMap.map
    with rewriter.elsewhere(), rewriter.standing_in(loop):
        rewriter.set_insertion_before(loop)
        number = constant_bound(loop.lowerBoundMap)
        if number is None:
            if lower == AffineMap(1, 0, (AffineDim(0),)):
                return loop.lowerBoundOperands[0]
            operands = loop.lowerBoundOperands
            return rewriter.create("affine.apply", operands, [INDEX], {"map": AffineMapAttr(lower)}).result
        function = closest_with(loop, FunctionLike)
        if function is not None:
            rewriter.set_insertion_to_start(function.regions[0].entry)
        return rewriter.constant(index_attr(number), INDEX)
