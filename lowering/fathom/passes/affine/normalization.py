"""Affine loops that count from zero by one.

    affine.for %i = 3 to %n step 2 { "use"(%i) }
->
    affine.for %i = 0 to affine_map<()[s0] -> ((s0 - 3) ceildiv 2)>()[%n] { %0 = affine.apply (d0 * 2 + 3)(%i)  … }

Source of the rules: `normalizeAffineFor` and `normalizeAffineParallel` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import compose
from fathom.dialects.affine.loop_folds import set_bound
from fathom.dialects.affine.parallel import groups_of
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, add, divide, multiply, negate
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, i64_attr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import INDEX
from fathom.passes.affine.promotion import promote_single_iteration
from fathom.passes.affine.trip_counts import difference, lower_bound, repeated, upper_bound
from fathom.passes.affine.unrolling import set_step
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.dialects.affine.composition import Applied
    from fathom.ir.operation import Block, Value
    from fathom.ops.affine import ForOp, ParallelOp
    from fathom.rewriting.rewriter import Rewriter

_ZERO = AffineMap(0, 0, (AffineConstant(0),))


def normalize_for(loop: ForOp, rewriter: Rewriter, *, promote: bool) -> None:
    """Has a loop count from zero by one, if its lower bound is one expression. With `promote` one that runs once is
    none any more."""
    if promote and promote_single_iteration(loop, rewriter):
        return
    step = loop.step.value
    if (constant_bound(loop.lowerBoundMap) == 0 and step == 1) or step == 0:
        return
    lower, upper = lower_bound(loop), upper_bound(loop)
    if len(lower[0].results) != 1:
        return
    map, values = compose(*difference(upper, repeated(lower, len(upper[0].results))))
    counts = tuple(divide("ceildiv", result, AffineConstant(step)) for result in map.results)
    set_bound(loop, replace(map, results=counts), values, is_upper=True)
    set_bound(loop, _ZERO, [], is_upper=False)
    set_step(loop, 1)
    body = loop.region.entry
    index = body.arguments[0]
    back = multiply(negate(AffineDim(0)), AffineConstant(step))
    with rewriter.standing_in(loop):
        _use_instead(body, index, compose(*difference(lower, (AffineMap(1, 0, (back,)), [index]))), rewriter)


def _use_instead(body: Block, index: Value, old: Applied, rewriter: Rewriter) -> None:
    """Has the body use what a variable was in its place."""
    map, values = old
    users = list(index.uses)
    rewriter.set_insertion_to_start(body)
    made = rewriter.create("affine.apply", values, [INDEX], {"map": AffineMapAttr(map)}).result
    for user in users:
        rewriter.use_instead(user, index, made)


def normalize_parallel(loop: ParallelOp, rewriter: Rewriter) -> None:
    """The same of a loop of several variables, unless a bound is the least or greatest of several numbers."""
    if any(size > 1 for groups in (loop.lowerBoundsGroups, loop.upperBoundsGroups) for size in groups_of(groups)):
        return
    lower, upper, steps = loop.lowerBoundsMap.map, loop.upperBoundsMap.map, numbers_of(loop.steps)
    starts_at_zero = all(result == AffineConstant(0) for result in lower.results)
    if (starts_at_zero and all(step == 1 for step in steps)) or 0 in steps:
        return
    operands = loop.mapOperands
    lowers, uppers = operands[: lower.inputs], operands[lower.inputs :]
    ranges, values = difference((upper, uppers), (lower, lowers))
    body = loop.region.entry
    with rewriter.standing_in(loop):
        rewriter.set_insertion_to_start(body)
        for index, step, start in zip(list(body.arguments), steps, lower.results, strict=True):
            expr = add(start, multiply(AffineDim(lower.dims), AffineConstant(step)))
            map = AffineMapAttr(AffineMap(lower.dims + 1, lower.symbols, (expr,)))
            users = list(index.uses)
            inputs = [*lowers[: lower.dims], index, *lowers[lower.dims :]]
            made = rewriter.create("affine.apply", inputs, [INDEX], {"map": map}).result
            for user in users:
                rewriter.use_instead(user, index, made)
    counts = tuple(
        divide("ceildiv", result, AffineConstant(step)) for result, step in zip(ranges.results, steps, strict=True)
    )
    loop.set_operands(values)
    loop.properties["steps"] = ArrayAttr((i64_attr(1),) * len(steps))
    loop.properties["lowerBoundsMap"] = AffineMapAttr(AffineMap(0, 0, (AffineConstant(0),) * len(steps)))
    loop.properties["upperBoundsMap"] = AffineMapAttr(replace(ranges, results=counts))
