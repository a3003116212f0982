"""Bounds of dimensions as maps of what else a system is over; and the smallest box around two systems.

The maps are those that MLIR makes, since loops are given them as bounds.
Source of the rules: `FlatLinearValueConstraints.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.affine import AffineConstant, AffineExpr, AffineMap, add, divide
from fathom.ir.affine_simplification import simplify
from fathom.passes.affine.bounds import greatest, least
from fathom.passes.affine.domains import align
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.elimination import equality_for, remove_redundant
from fathom.passes.affine.flattening import expression
from fathom.passes.affine.representations import expressions_without
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.passes.affine.system import Row, System

Bound: TypeAlias = "AffineMap | None"


def bound_maps(system: System, place: int, start: int, count: int, dims: int) -> tuple[AffineMap, AffineMap]:
    """The lower and upper bounds of a dimension at `start + place` over all but `count` variables from `start` on;
    those before `dims` are dimensions of the maps, and the others symbols. An upper bound is one more than the greatest
    value."""
    column = start + place
    lower, upper, equal = system.bounds_on(column, start, start + count)
    symbols = system.named - dims

    def as_expression(row: Sequence[int]) -> AffineExpr:
        return expression([*row[:start], *row[start + count :]], dims - count, symbols)

    lowest: list[AffineExpr] = []
    highest: list[AffineExpr] = []
    for index in lower:
        row = system.inequalities[index]
        by = row[column]
        lowest.append(_floor(add(as_expression([-value for value in row]), AffineConstant(by - 1)), by))
    for index in upper:
        row = system.inequalities[index]
        highest.append(add(_floor(as_expression(row), -row[column]), AffineConstant(1)))
    for index in equal:
        row = system.equalities[index]
        by = row[column]
        value = as_expression([-factor for factor in row] if by > 0 else row)
        highest.append(add(_floor(value, abs(by)), AffineConstant(1)))
        lowest.append(divide("ceildiv", value, AffineConstant(abs(by))))
    made = (AffineMap(dims - count, symbols, tuple(exprs)) for exprs in (lowest, highest))
    return next(made), next(made)


def _floor(expr: AffineExpr, by: int) -> AffineExpr:
    return divide("floordiv", expr, AffineConstant(by))


def slice_bounds(system: System, start: int, count: int) -> list[tuple[Bound, Bound]]:
    """For each of some dimensions the least value, and one more than the greatest, as maps of the other variables; None
    where there is no such."""
    system.normalize()
    exprs = expressions_without(system, start, count)
    dims, symbols = len(system.dims) - count, len(system.symbols)
    bounds: list[tuple[Bound, Bound]] = []
    sharp: System | None = None
    for place in range(count):
        expr = exprs[start + place]
        if expr is not None:
            expr = simplify(expr, dims, symbols)
            ends = (expr, add(expr, AffineConstant(1)))
            bounds.append((AffineMap(dims, symbols, ends[:1]), AffineMap(dims, symbols, ends[1:])))
            continue
        lower: Bound = None
        upper: Bound = None
        if not system.locals:
            if sharp is None:
                sharp = system.copy()
                remove_redundant(sharp)
            lower, upper = bound_maps(sharp, place, start, count, len(sharp.dims))
        if lower is None or len(lower.results) != 1:
            number = least(system, start + place)
            lower = lower if number is None else AffineMap(dims, symbols, (AffineConstant(number),))
        if upper is None or len(upper.results) != 1:
            number = greatest(system, start + place)
            upper = upper if number is None else AffineMap(dims, symbols, (AffineConstant(number + 1),))
        bounds.append((lower, upper))
    return bounds


# ---- boxes


@record
class _Ends:
    """`lower <= divisor * d <= upper`, with coefficients of the symbols, and constants."""

    lower: Row
    upper: Row
    divisor: int


def _ends(system: System, column: int) -> _Ends | None:
    """The bounds of a dimension that are the fewest values apart, whatever the symbols are."""
    dims = len(system.dims)
    at = equality_for(system, column, dims)
    if at is not None:
        row = system.equalities[at]
        if any(row[system.named : -1]):
            return None
        value = [-factor * row[column] for factor in (*row[dims : system.named], row[-1])]
        return _Ends(value, value[:], 1)
    lower, upper, _ = system.bounds_on(column, 0, dims)
    best: tuple[int, Row, Row] | None = None
    for high in upper:
        for low in lower:
            count_steps(system.columns)
            greatest_row, least_row = system.inequalities[high], system.inequalities[low]
            if any(one != -other for one, other in zip(greatest_row[:-1], least_row[:-1], strict=True)):
                continue
            size = max(0, -(-(greatest_row[-1] + least_row[-1] + 1) // least_row[column]))
            if best is None or size < best[0]:
                best = size, least_row, greatest_row
    if best is None:
        return None
    _, least_row, greatest_row = best
    first = [-factor for factor in (*least_row[dims : system.named], least_row[-1])]
    last = [*greatest_row[dims : system.named], greatest_row[-1]]
    return _Ends(first, last, least_row[column])


def enlarge(system: System, other: System) -> bool:
    """Has a system be a box around itself and another one over the same dimensions; False where there is none."""
    other = other.copy()
    if not are_aligned(system, other):
        align(system, other, len(system.dims))
    if system.locals or other.locals:
        return False
    common = [row for row in system.inequalities if row in other.inequalities]
    common_equalities = [row for row in system.equalities if row in other.equalities]
    count_steps(len(system.inequalities) * len(other.inequalities))
    rows: list[Row] = []
    for column in range(len(system.dims)):
        mine, theirs = _ends(system, column), _ends(other, column)
        if mine is None or theirs is None or mine.divisor != theirs.divisor:
            return False
        lower = _farther(mine.lower, theirs.lower, least(system, column), least(other, column), is_upper=False)
        upper = _farther(mine.upper, theirs.upper, greatest(system, column), greatest(other, column), is_upper=True)
        if lower is None or upper is None:
            return False
        first, last = [0] * len(system.dims), [0] * len(system.dims)
        first[column], last[column] = mine.divisor, -mine.divisor
        rows += [[*first, *(-factor for factor in lower)], [*last, *upper]]
    system.inequalities, system.equalities = rows + [row[:] for row in common], common_equalities
    system.remove_trivial()
    return True


def _farther(mine: Row, theirs: Row, one: int | None, other: int | None, *, is_upper: bool) -> Row | None:
    """Of two bounds the one that is farther out; where they cannot be compared, of the numbers that bound the same."""
    choose = max if is_upper else min
    if mine[:-1] == theirs[:-1]:
        return [*mine[:-1], choose(mine[-1], theirs[-1])]
    if one is None or other is None:
        return None
    return [*[0] * (len(mine) - 1), choose(one, other)]


def are_aligned(one: System, other: System) -> bool:
    """Whether two systems are over the same values in the same order."""
    return are_same_values(one.dims, other.dims) and are_same_values(one.symbols, other.symbols)


def are_same_values(one: Sequence[Value | None], other: Sequence[Value | None]) -> bool:
    """Whether values are the same, one by one."""
    return len(one) == len(other) and all(mine is theirs for mine, theirs in zip(one, other, strict=True))
