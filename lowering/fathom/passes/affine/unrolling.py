"""Affine loops with several iterations in one, and a loop behind for those that are left.

    affine.for %i = 0 to 10 { "use"(%i) }
->
    affine.for %i = 0 to 8 step 4 { "use"(%i)  %1 = affine.apply (d0 + 1)(%i)  "use"(%1)  … }
    affine.for %i = 8 to 10 { "use"(%i) }

Where a loop yields what another of its values was, or its variable, MLIR's copies yield what the first of them does;
those made here yield what the loop did. Likewise where loops begin with one value twice, or with what they end with.
Source of the rules: `LoopUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.budget import refuse
from fathom.dialects.affine.composition import Applied, canonicalize, compose
from fathom.dialects.affine.loop_folds import set_bound
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, add, divide, multiply, negate
from fathom.ir.affine_simplification import simplify_map
from fathom.ir.attributes import AffineMapAttr, index_attr
from fathom.ir.types import INDEX
from fathom.ops.affine import ForOp
from fathom.passes.affine.nests import innermost_loops
from fathom.passes.affine.promotion import operations_in, promote_single_iteration
from fathom.passes.affine.trip_counts import constant_trip_count, lower_bound, trip_count_divisor, trip_counts
from fathom.rewriting.observers import explaining

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.observers import Watch
    from fathom.rewriting.rewriter import Rewriter

GREATEST: Final = (1 << 63) - 1
"""The greatest step."""
NOT_COUNTED: Final = "how often it runs is not known"


def why_not(loop: ForOp, factor: int, has_rest: bool) -> str | None:
    """Why a loop may not get the bodies of so many iterations; None where it may: where the rest begins can be said,
    the step is a number of 64 bits, and there are not too many operations."""
    if has_rest and not _has_plain_bounds(loop):
        return "iterations would be left, and one of its bounds is several expressions"
    if abs(loop.step.value) * factor > GREATEST:
        return "its step would have more than 64 bits"
    if refuse(loop, operations_in(loop) * (factor - 1 + has_rest)) is not None:
        return "there would be too many operations"
    return None


def unroll_short(root: Operation, most: int, rewriter: Rewriter) -> None:
    """Unrolls fully the loops that are known to run no more often than that."""
    watch = explaining()
    loops = [inner for inner in root.walk_postorder() if isinstance(inner, ForOp)]
    for loop, count in zip(loops, [constant_trip_count(loop) for loop in loops], strict=True):
        if count is None:
            reason: str | None = NOT_COUNTED
        elif count > most:
            reason = f"it runs {count} times, more than {most}"
        else:
            reason = unroll_fully(loop, rewriter)
        if reason is not None and watch is not None:
            watch.left(loop, "unroll", reason)


def unroll_innermost(root: Operation, unroll: Callable[[ForOp], str | None], times: int) -> None:
    """Does something to the innermost loops, and to those that are innermost then; it says why if it cannot."""
    watch = explaining()
    before: list[tuple[ForOp, int]] = []
    for _ in range(times):
        loops = [(loop, loop.step.value) for loop in innermost_loops(root)]
        # Loops of which none changed stay as they are, however often this is done again.
        if loops == before:
            break
        before = loops
        if watch is not None:
            _tell_what_is_outer(root, {loop for loop, _ in loops}, watch)
        reasons = [unroll(loop) for loop, _ in loops]
        for (loop, _), reason in zip(loops, reasons, strict=True):
            if reason is not None and watch is not None:
                watch.left(loop, "unroll", reason)
        if None not in reasons:
            break


def _tell_what_is_outer(root: Operation, innermost: set[ForOp], watch: Watch) -> None:
    for loop in root.walk():
        if isinstance(loop, ForOp) and loop not in innermost:
            watch.left(loop, "unroll", "it is no innermost loop")


def unroll_fully(loop: ForOp, rewriter: Rewriter) -> str | None:
    """Unrolls a loop by as much as it runs, if that is known; why not, as `unroll` says it."""
    count = constant_trip_count(loop)
    if count is None:
        return NOT_COUNTED
    if count == 0:
        return None
    return _promote(loop, rewriter) if count == 1 else unroll(loop, count, rewriter)


def _promote(loop: ForOp, rewriter: Rewriter) -> str | None:
    is_done = promote_single_iteration(loop, rewriter)
    return None if is_done else "it runs once, but its lower bound is several expressions"


def unroll_up_to(loop: ForOp, factor: int, rewriter: Rewriter) -> str | None:
    """Unrolls a loop by a factor, or fully if it runs less often; why not, as `unroll` says it."""
    count = constant_trip_count(loop)
    return unroll(loop, factor if count is None else min(count, factor), rewriter)


def unroll(loop: ForOp, factor: int, rewriter: Rewriter, *, whole: bool = False) -> str | None:
    """Unrolls a loop by a factor; `whole` unrolls it fully where the factor leaves iterations over. Returns why it is
    not as it is wanted, or None where it is."""
    count = constant_trip_count(loop)
    body = loop.region.entry
    if factor <= 1:
        return _promote(loop, rewriter) if count == 1 else None
    if body.first is body.last:
        return None
    if count is not None and count < factor:
        return unroll_fully(loop, rewriter) if whole else f"it runs {count} times, and the factor is {factor}"
    has_rest = trip_count_divisor(loop) % factor != 0
    if has_rest and whole and _has_plain_bounds(loop):
        return unroll_fully(loop, rewriter)
    if (reason := why_not(loop, factor, has_rest)) is not None:
        return reason
    if has_rest:
        make_rest(loop, factor, rewriter)
    step = loop.step.value
    set_step(loop, step * factor)
    _repeat_body(loop, step, factor, rewriter)
    promote_single_iteration(loop, rewriter)
    return None


def _has_plain_bounds(loop: ForOp) -> bool:
    """Whether both bounds are one expression, so that where the last iterations begin can be said."""
    return len(loop.lowerBoundMap.map.results) == 1 and len(loop.upperBoundMap.map.results) == 1


def set_step(loop: ForOp, step: int) -> None:
    loop.properties["step"] = index_attr(step)


def shifted_index(loop: ForOp, distance: int, rewriter: Rewriter) -> Value:
    """The variable of a loop so much later."""
    map = AffineMapAttr(AffineMap(1, 0, (add(AffineDim(0), AffineConstant(distance)),)))
    with rewriter.standing_in(loop):
        return rewriter.create("affine.apply", [loop.region.entry.arguments[0]], [INDEX], {"map": map}).result


def _repeat_body(loop: ForOp, step: int, factor: int, rewriter: Rewriter) -> None:
    body = loop.region.entry
    end = body.end
    ops = list(body)[:-1]
    induction, *carried = body.arguments
    yielded = end.operands
    last = yielded
    with rewriter.elsewhere():
        rewriter.set_insertion_before(end)
        for iteration in range(1, factor):
            values: dict[Value, Value] = dict(zip(carried, last, strict=True))
            if induction.uses:
                values[induction] = shifted_index(loop, iteration * step, rewriter)
            for op in ops:
                rewriter.clone(op, values)
            last = [values.get(value, value) for value in yielded]
    end.set_operands(last)


# ---- the iterations that are left


def make_rest(loop: ForOp, factor: int, rewriter: Rewriter) -> None:
    """Makes a loop for the last iterations behind one that gets a multiple of them."""
    with rewriter.elsewhere():
        rewriter.set_insertion_behind(loop)
        rest = rewriter.clone(loop, {})
        assert isinstance(rest, ForOp), "it is a copy"
        for result, new in zip(loop.results, rest.results, strict=True):
            rewriter.replace_all_uses(result, new)
        rest.set_operands([*rest.operands[: len(rest.operands) - len(rest.inits)], *loop.results])
        map, values = _beginning_of_rest(loop, factor, rewriter)
        set_bound(rest, map, values, is_upper=False)
        promote_single_iteration(rest, rewriter)
        set_bound(loop, map, values, is_upper=True)


def _beginning_of_rest(loop: ForOp, factor: int, rewriter: Rewriter) -> Applied:
    """Where the last iterations begin: at the lower bound and as many iterations as the factor divides."""
    counts = trip_counts(loop)
    assert counts is not None, "a loop with one expression for each bound has a count"
    map, values = counts
    rewriter.set_insertion_before(loop)
    rewriter.stand_in(loop)
    lower, operands = lower_bound(loop)
    made = [rewriter.create("affine.apply", operands, [INDEX], {"map": AffineMapAttr(lower)})]
    for count in map.results:
        whole = add(count, negate(divide("mod", count, AffineConstant(factor))))
        distance = multiply(whole, AffineConstant(loop.step.value))
        property = AffineMapAttr(AffineMap(map.dims, map.symbols, (distance,)))
        made.append(rewriter.create("affine.apply", values, [INDEX], {"map": property}))
    sums = tuple(add(AffineDim(0), AffineDim(place)) for place in range(1, len(made)))
    beginning, needed = compose(AffineMap(len(made), 0, sums), [op.result for op in made])
    beginning, needed = canonicalize(simplify_map(beginning), needed)
    _erase_unused(made, needed)
    return beginning, needed


def _erase_unused(ops: Iterable[Operation], needed: list[Value]) -> None:
    for op in ops:
        if op.result not in needed:
            op.erase()
