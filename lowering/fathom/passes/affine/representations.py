"""Variables of a system as expressions of others: constants, quotients and remainders, sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineSymbol, add, divide, multiply, negate
from fathom.ir.affine_simplification import simplify
from fathom.passes.affine.bounds import greatest, least
from fathom.passes.affine.divisions import quotient_of
from fathom.passes.affine.effort import count_steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.passes.affine.system import System

Expressions: TypeAlias = "list[AffineExpr | None]"
"""For each variable the expression that it is, if that is known."""


def local_expressions(system: System) -> Expressions:
    """Dimensions and symbols are themselves, and locals the quotients that they are."""
    exprs: Expressions = [AffineDim(index) for index in range(len(system.dims))]
    exprs += [AffineSymbol(index) for index in range(len(system.symbols))]
    exprs += [None] * system.locals
    changed = True
    while changed:
        changed = False
        for column in range(system.named, system.variables):
            if exprs[column] is None and _is_quotient(system, column, exprs):
                changed = True
    return exprs


def sum_of(row: Sequence[int], column: int, exprs: Sequence[AffineExpr | None]) -> AffineExpr | None:
    """What a row adds up to without one variable; None where one of the others is not known."""
    total: AffineExpr = AffineConstant(0)
    count_steps(len(row))
    for place, factor in enumerate(row[:-1]):
        if not factor or place == column:
            continue
        expr = exprs[place]
        if expr is None:
            return None
        total = add(total, multiply(expr, AffineConstant(factor)))
    return add(total, AffineConstant(row[-1]))


def expressions_without(system: System, start: int, count: int) -> Expressions:
    """The dimensions from `start` on, and the locals, as expressions of the other dimensions and of symbols, as far as
    is found."""
    exprs: Expressions = [AffineDim(index) for index in range(start)]
    exprs += [None] * count
    exprs += [AffineDim(index - count) for index in range(start + count, len(system.dims))]
    exprs += [AffineSymbol(index) for index in range(len(system.symbols))]
    exprs += [None] * system.locals
    changed = True
    while changed:
        changed = False
        for column in range(system.variables):
            if exprs[column] is None and _find(system, column, start, count, exprs):
                changed = True
    return exprs


def _find(system: System, column: int, start: int, count: int, exprs: Expressions) -> bool:
    low, high = least(system, column), greatest(system, column)
    if low is not None and high is not None:
        if low == high:
            exprs[column] = AffineConstant(low)
            return True
        if low == 0 and high >= 1 and _is_remainder(system, column, high + 1, (start, count), exprs):
            return True
    if _is_quotient(system, column, exprs):
        return True
    index = system.first_equality(column)
    if index is None:
        return False
    row = system.equalities[index]
    total = sum_of(row, column, exprs)
    if total is None:
        return False
    by = row[column]
    exprs[column] = divide("floordiv", negate(total) if by > 0 else total, AffineConstant(abs(by)))
    return True


def _is_quotient(system: System, column: int, exprs: Expressions) -> bool:
    """Whether two inequalities say that a variable is a quotient of known ones; if so, it is noted."""
    quotient = quotient_of(system, column, [expr is not None for expr in exprs])
    if quotient is None or quotient.is_exact:
        return False
    total: AffineExpr = AffineConstant(quotient.dividend[-1])
    for factor, expr in zip(quotient.dividend[:-1], exprs, strict=True):
        if factor and expr is not None:
            total = add(total, multiply(expr, AffineConstant(factor)))
    exprs[column] = divide("floordiv", total, AffineConstant(quotient.divisor))
    return True


def _is_remainder(system: System, column: int, divisor: int, sought: tuple[int, int], exprs: Expressions) -> bool:
    """Whether an equality says that a variable is `d mod divisor` of a dimension, since it differs from it by a
    multiple of the divisor; if so, it is noted, and of which variable the multiple is, if that was not known."""
    for row in system.equalities:
        by = row[column]
        if not by or row[-1]:
            continue
        parts = _parts(system, row, column, divisor, exprs)
        if parts is None:
            continue
        dividend, quotients = parts
        dividend = divide("floordiv", negate(dividend) if by > 0 else dividend, AffineConstant(abs(by)))
        dividend = simplify(dividend, len(system.dims), len(system.symbols))
        if not isinstance(dividend, AffineDim) or not quotients:
            continue
        start, count = sought
        place = dividend.position + (0 if dividend.position < start else count)
        high = greatest(system, place)
        is_less = high is not None and high < divisor
        exprs[column] = dividend if is_less else divide("mod", dividend, AffineConstant(divisor))
        last = quotients[-1]
        if len(quotients) == 1 and exprs[last] is None:
            sign = 1 if row[last] * by > 0 else -1
            exprs[last] = multiply(divide("floordiv", dividend, AffineConstant(divisor)), AffineConstant(sign))
        return True
    return False


def _parts(
    system: System, row: Sequence[int], column: int, divisor: int, exprs: Expressions
) -> tuple[AffineExpr, list[int]] | None:
    """The sum of those dimensions and symbols of a row that are no multiples of the divisor; and the columns of the
    others. None where one of the sum is not known."""
    total: AffineExpr = AffineConstant(0)
    multiples: list[int] = []
    for place in range(system.named):
        factor = row[place]
        if place == column or not factor:
            continue
        if factor % (divisor * row[column]) == 0:
            multiples.append(place)
            continue
        expr = exprs[place]
        if expr is None:
            return None
        total = add(total, multiply(expr, AffineConstant(factor)))
    return total, multiples
