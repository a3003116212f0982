"""Whether all integer solutions of a system are solutions of another, decided exactly.

Variables are eliminated as by Pugh, *The Omega Test* (1991): where no integer is between two bounds for certain, the
few solutions that may be left are looked at one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.affine.divisions import local_quotients
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.elimination import cheapest, without
from fathom.passes.affine.system import System, normalized

if TYPE_CHECKING:
    from fathom.passes.affine.system import Row


def is_contained(inner: System, outer: System) -> bool | None:
    """Whether each solution of a system is one of another over the same dimensions and symbols; None where the second
    has locals that are no quotients."""
    known = inner.copy()
    rest = outer.copy()
    if any(quotient is None for quotient in local_quotients(rest)):
        return None
    own = known.locals
    known.insert_locals(own, rest.locals)
    rest.insert_locals(0, own)
    # A quotient has some value whatever the others are: what says which is no condition.
    asked: list[Row] = []
    of_quotients = _defining_rows(rest, own)
    rest.tighten()
    for row in rest.inequalities:
        if row in of_quotients:
            known.add_inequality(row[:])
        else:
            asked.append(row)
    for row in rest.equalities:
        asked += [row, [-value for value in row]]
    for row in asked:
        beyond = known.copy()
        beyond.add_inequality([*(-value for value in row[:-1]), -row[-1] - 1])
        if not is_integer_empty(beyond):
            return False
    return True


def _defining_rows(system: System, first: int) -> list[Row]:
    """The inequalities that say of which dividends and divisors the locals from one on are quotients."""
    rows: list[Row] = []
    for index, quotient in enumerate(local_quotients(system)):
        if index < first or quotient is None:
            continue
        column = system.named + index
        dividend, divisor = quotient.dividend, quotient.divisor
        lower = [-value for value in dividend]
        lower[column] = divisor
        lower[-1] += divisor - 1
        upper = [*dividend]
        upper[column] = -divisor
        rows += [normalized(lower, len(lower) - 1), normalized(upper, len(upper) - 1)]
    return rows


def is_integer_empty(system: System) -> bool:
    """Whether no integers solve a system."""
    pending = [system.copy()]
    while pending:
        current = pending.pop()
        if _without_equalities(current) and (more := _next_systems(current)) is not None:
            if not more:
                return False
            pending += more
    return True


def _without_equalities(system: System) -> bool:
    """Eliminates what equalities give a value to, exactly; False where the system is empty."""
    while True:
        system.tighten()
        system.normalize()
        system.equalities = [row for row in system.equalities if any(row)]
        if system.is_obviously_empty():
            return False
        if not system.equalities:
            system.remove_trivial()
            return True
        row = min(system.equalities, key=lambda row: min(abs(value) for value in row[:-1] if value))
        column = min((c for c, value in enumerate(row[:-1]) if value), key=lambda c: abs(row[c]))
        by = abs(row[column])
        if by == 1:
            system.equalities.remove(row)
            system.equalities = [normalized(without(equality, row, column)) for equality in system.equalities]
            system.inequalities = [without(inequality, row, column) for inequality in system.inequalities]
            system.remove(column, column + 1)
            continue
        _reduce(system, row, column)


def _reduce(system: System, row: Row, column: int) -> None:
    """Has a new variable stand for one of an equality and multiples of the others, so that the coefficients of the
    others become smaller than that of the first."""
    sign = 1 if row[column] > 0 else -1
    by = abs(row[column])
    # x = y - sum of (c floordiv by) * z, for the coefficients c of the others.
    shifts = [sign * value // by if place != column else 0 for place, value in enumerate(row[:-1])]
    count_steps(system.rows * len(shifts))
    for splinter_row in (*system.equalities, *system.inequalities):
        factor = splinter_row[column]
        if factor:
            for place, shift in enumerate(shifts):
                splinter_row[place] -= factor * shift


def _next_systems(system: System) -> list[System] | None:
    """The systems of which one has a solution if this one has, without one of its variables; none where it has one for
    certain, and None where it has none."""
    if system.is_obviously_empty():
        return None
    while system.variables:
        column = _exact(system)
        if column is None:
            break
        _eliminate(system, column)
        if system.is_obviously_empty():
            return None
    if not system.variables:
        return []
    column = cheapest(system, 0, system.variables)
    lower = [row for row in system.inequalities if row[column] > 0]
    upper = [row for row in system.inequalities if row[column] < 0]
    systems = [_shadow(system, column, is_dark=True)]
    steepest = max(-row[column] for row in upper)
    for row in lower:
        by = row[column]
        for slack in range((steepest * by - steepest - by) // steepest + 1):
            count_steps(system.rows * system.columns)
            splinter = system.copy()
            splinter.add_equality([*row[:-1], row[-1] - slack])
            systems.append(splinter)
    return systems


def _exact(system: System) -> int | None:
    """A variable that may be eliminated with no solution gained."""
    for column in range(system.variables):
        factors = [row[column] for row in system.inequalities if row[column]]
        positive = [factor for factor in factors if factor > 0]
        negative = [factor for factor in factors if factor < 0]
        if all(factor == 1 for factor in positive) or all(factor == -1 for factor in negative):
            return column
    return None


def _eliminate(system: System, column: int) -> None:
    made = _shadow(system, column, is_dark=False)
    system.inequalities, system.locals = made.inequalities, made.locals
    system.dims, system.symbols = made.dims, made.symbols


def _shadow(system: System, column: int, *, is_dark: bool) -> System:
    """The system without a variable: what holds if there is a number, or, dark, an integer for certain, between its
    bounds."""
    lower = [row for row in system.inequalities if row[column] > 0]
    upper = [row for row in system.inequalities if row[column] < 0]
    count_steps(len(lower) * len(upper) * system.columns)
    made = system.copy()
    made.inequalities = [row[:] for row in system.inequalities if not row[column]]
    for low in lower:
        for high in upper:
            one, other = low[column], -high[column]
            row = [other * first + one * second for first, second in zip(low, high, strict=True)]
            row[-1] -= (one - 1) * (other - 1) if is_dark else 0
            made.add_inequality(row)
    made.remove(column, column + 1)
    made.remove_trivial()
    return made
