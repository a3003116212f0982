"""How many values a dimension of a system has, between bounds that differ by a number whatever the symbols are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.affine import AffineConstant, AffineExpr, AffineMap, add, divide, is_symbolic, negate
from fathom.ir.affine_simplification import simplify
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.elimination import equality_for
from fathom.passes.affine.representations import local_expressions, sum_of
from fathom.records import record

if TYPE_CHECKING:
    from fathom.passes.affine.system import Row, System


@record
class Extent:
    """How many values a dimension has at most, and from where to where: maps of the symbols; `lower_row` and
    `upper_row` are the inequalities that say so, or the same equality."""

    size: int
    lower: AffineMap | None
    upper: AffineMap | None
    lower_row: int
    upper_row: int


def extent(system: System, column: int) -> Extent | None:
    """The least number of values that a dimension is found to have, whatever the symbols are."""
    symbols = len(system.symbols)
    exprs = local_expressions(system)
    at = equality_for(system, column, len(system.dims))
    if at is not None and _is_symbolic_row(system, system.equalities[at], exprs):
        row = system.equalities[at]
        total = sum_of(row, column, exprs)
        value = None
        if total is not None:
            by = row[column]
            value = divide("floordiv", negate(total) if by > 0 else total, AffineConstant(abs(by)))
            value = AffineMap(0, symbols, (simplify(value, 0, symbols),))
        return Extent(1, value, value, at, at)
    lowers, uppers, _ = system.bounds_on(column, 0, len(system.dims))
    best: Extent | None = None
    for upper in uppers:
        high = _symbolic_bound(system.inequalities[upper], column, exprs)
        if high is None:
            continue
        for lower in lowers:
            count_steps(system.columns)
            low = _symbolic_bound(system.inequalities[lower], column, exprs)
            if low is None:
                continue
            difference = simplify(add(add(high, negate(low)), AffineConstant(1)), 0, symbols)
            if not isinstance(difference, AffineConstant):
                continue
            size = max(difference.value, 0)
            if best is None or size < best.size:
                best = Extent(size, AffineMap(0, symbols, (low,)), AffineMap(0, symbols, (high,)), lower, upper)
    return best


def _is_symbolic_row(system: System, row: Row, exprs: list[AffineExpr | None]) -> bool:
    """Whether all locals in a row are expressions of symbols."""
    for column in range(system.named, system.variables):
        expr = exprs[column]
        if row[column] and (expr is None or not is_symbolic(expr)):
            return False
    return True


def _symbolic_bound(row: Row, column: int, exprs: list[AffineExpr | None]) -> AffineExpr | None:
    """The bound that an inequality says, if it is an expression of symbols."""
    total = sum_of(row, column, exprs)
    if total is None or not is_symbolic(total):
        return None
    by = row[column]
    if by < 0:
        return divide("floordiv", total, AffineConstant(-by))
    return divide("floordiv", add(negate(total), AffineConstant(by - 1)), AffineConstant(by))
