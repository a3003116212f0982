"""How often affine loops run: as maps of values, and as numbers where that can be told.

Source of the rules: `LoopAnalysis.cpp` and `AffineValueMap.cpp` of MLIR 22.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import Applied, canonicalize, compose
from fathom.dialects.affine.loop_folds import bound_operands
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineMap, add, divide, known_divisor, negate, shift
from fathom.ir.affine_simplification import simplify_map
from fathom.ops.affine import ApplyOp
from fathom.passes.affine.domains import add_value, affine_ops_around, aligned, flattened_into, index_set
from fathom.passes.affine.elimination import is_empty
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.ops.affine import ForOp
    from fathom.passes.affine.system import System

UNSIGNED: Final = 1 << 64
"""Counts are numbers of 64 bits without a sign."""


def lower_bound(loop: ForOp) -> Applied:
    return loop.lowerBoundMap.map, bound_operands(loop)[0]


def upper_bound(loop: ForOp) -> Applied:
    return loop.upperBoundMap.map, bound_operands(loop)[1]


def repeated(bound: Applied, count: int) -> Applied:
    """A map of one result with that result as often as another map has results."""
    map, values = bound
    return replace(map, results=map.results[:1] * count), values


def difference(one: Applied, other: Applied) -> Applied:
    """The results of a map less those of another, composed and in the form that MLIR gives it."""
    (map, values), (less, others) = one, other
    results = tuple(
        add(result, negate(shift(subtracted, map.dims, map.symbols)))
        for result, subtracted in zip(map.results, less.results, strict=True)
    )
    joined = AffineMap(map.dims + less.dims, map.symbols + less.symbols, results)
    operands = [*values[: map.dims], *others[: less.dims], *values[map.dims :], *others[less.dims :]]
    if any(isinstance(value.defining_op, ApplyOp) for value in operands):
        joined, operands = compose(joined, operands)
    joined, operands = canonicalize(joined, operands)
    return simplify_map(joined), operands


def trip_counts(loop: ForOp) -> Applied | None:
    """A map whose least result is how often the body runs; None where there is none."""
    step = loop.step.value
    low, high = constant_bound(loop.lowerBoundMap), constant_bound(loop.upperBoundMap)
    if step == 0:
        return None
    if low is not None and high is not None:
        return AffineMap(0, 0, (AffineConstant(-(-max(0, high - low) // step)),)), []
    lower, upper = lower_bound(loop), upper_bound(loop)
    if len(lower[0].results) != 1:
        return None
    map, values = difference(upper, repeated(lower, len(upper[0].results)))
    return replace(
        map, results=tuple(divide("ceildiv", result, AffineConstant(step)) for result in map.results)
    ), values


def constant_trip_count(loop: ForOp) -> int | None:
    """How often the body runs, if that is one number."""
    counts = trip_counts(loop)
    if counts is None:
        return None
    known = [result.value % UNSIGNED for result in counts[0].results if isinstance(result, AffineConstant)]
    return min(known, default=None) if len(known) == len(counts[0].results) else None


def always_runs(loop: ForOp) -> bool:
    """Whether the body runs wherever the loop is come to, as far as the loops and conditions around it tell."""
    count = constant_trip_count(loop)
    if count is not None:
        return count > 0
    around = index_set(affine_ops_around(loop))
    lower, upper = lower_bound(loop), upper_bound(loop)
    if around is None or len(lower[0].results) != 1:
        return False
    map, values = difference(upper, repeated(lower, len(upper[0].results)))
    if not all(add_value(around, value) for value in values):
        return False
    return all(
        _is_positive(around.copy(), AffineMap(map.dims, map.symbols, (result,)), values) for result in map.results
    )


def _is_positive(system: System, map: AffineMap, values: Sequence[Value]) -> bool:
    rows = flattened_into(system, aligned(system, map, values))
    if rows is None:
        return False
    system.add_inequality([-value for value in rows[0]])
    return is_empty(system)


def trip_count_divisor(loop: ForOp) -> int:
    """The largest number that is known to divide how often the body runs."""
    counts = trip_counts(loop)
    if counts is None:
        return 1
    common = 0
    for result in counts[0].results:
        if isinstance(result, AffineConstant):
            # A loop that never runs is divided by anything; MLIR takes the greatest number.
            divisor = result.value % UNSIGNED or UNSIGNED - 1
        else:
            divisor = known_divisor(result)
        common = gcd(common, divisor)
    return common
