"""Variables of systems, eliminated: where there is an equality, by putting in what it says; else by having each lower
bound be below each upper bound.

What is left may have integer solutions where the system has none; not the other way round. So a system that is found to
be empty is.
"""

from __future__ import annotations

from math import gcd, lcm
from typing import TYPE_CHECKING, Final

from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.system import normalized

if TYPE_CHECKING:
    from fathom.passes.affine.system import Row, System

EXPLOSION: Final = 32
"""With so many rows for each variable of the beginning a system is left undecided, as MLIR does."""


def without(row: Row, pivot: Row, column: int) -> Row:
    """A row that says the same where the pivot is zero, without a variable of the pivot."""
    lead = row[column]
    if not lead:
        return row
    count_steps(len(row))
    by = pivot[column]
    common = lcm(by, lead)
    of_pivot = common // abs(by) * (-1 if lead * by > 0 else 1)
    of_row = common // abs(lead)
    return [of_pivot * one + of_row * other for one, other in zip(pivot, row, strict=True)]


def substitute_equalities(system: System, start: int, stop: int) -> int:
    """Eliminates variables from `start` on as far as equalities allow; how many."""
    if start >= stop:
        return 0
    system.tighten()
    column = start
    while column < stop:
        index = system.first_equality(column)
        if index is None:
            if any(row[column] for row in system.inequalities):
                break
            column += 1
            continue
        pivot = system.equalities.pop(index)
        system.equalities = [normalized(without(row, pivot, column)) for row in system.equalities]
        system.inequalities = [normalized(without(row, pivot, column)) for row in system.inequalities]
        system.tighten()
        column += 1
    system.remove(start, column)
    return column - start


def eliminate(system: System, column: int) -> None:
    """Eliminates one variable."""
    if system.first_equality(column) is not None:
        substitute_equalities(system, column, column + 1)
        return
    system.tighten()
    if system.is_unused(column):
        system.remove(column, column + 1)
        return
    lower = [row for row in system.inequalities if row[column] > 0]
    upper = [row for row in system.inequalities if row[column] < 0]
    others = [row for row in system.inequalities if not row[column]]
    count_steps(len(lower) * len(upper) * system.columns)
    system.inequalities = [_below(least, greatest, column) for greatest in upper for least in lower] + others
    system.remove(column, column + 1)
    system.remove_trivial()


def _below(lower: Row, upper: Row, column: int) -> Row:
    """That a lower bound is not above an upper one."""
    least, greatest = lower[column], -upper[column]
    common = least * greatest // gcd(least, greatest)
    of_lower, of_upper = common // least, common // greatest
    return [of_upper * two + of_lower * one for one, two in zip(lower, upper, strict=True)]


def cheapest(system: System, start: int, stop: int) -> int:
    """The variable of which the fewest rows are made when it is eliminated."""
    count_steps((stop - start) * len(system.inequalities))

    def rows_made(column: int) -> int:
        signs = [row[column] for row in system.inequalities]
        return sum(sign > 0 for sign in signs) * sum(sign < 0 for sign in signs)

    return min(range(start, stop), key=rows_made)


def project_out(system: System, start: int, count: int) -> None:
    """Eliminates variables that stand together."""
    if not count:
        return
    column, left, done = start, count, 0
    while column < system.variables:
        eliminated = substitute_equalities(system, column, column + left)
        column += 1
        left -= eliminated + 1
        done += eliminated
    for remaining in range(count - done, 0, -1):
        eliminate(system, cheapest(system, start, start + remaining))
    system.tighten()
    system.normalize()


def remove_redundant_locals(system: System) -> None:
    """Eliminates the locals that an equality gives a value to."""
    system.equalities = [normalized(row) for row in system.equalities]
    while (determined := _determined_local(system)) is not None:
        index, column = determined
        pivot = system.equalities.pop(index)
        system.equalities = [
            normalized(without(row, pivot, column)) if row[column] else row for row in system.equalities
        ]
        system.inequalities = [without(row, pivot, column) for row in system.inequalities]
        system.remove(column, column + 1)


def _determined_local(system: System) -> tuple[int, int] | None:
    count_steps(len(system.equalities) * (1 + system.locals))
    for index, row in enumerate(system.equalities):
        for column in range(system.named, system.variables):
            if abs(row[column]) == 1:
                return index, column
    return None


def is_empty(system: System) -> bool:
    """Whether a system is found to have no solution."""
    if system.is_obviously_empty():
        return True
    rest = system.copy()
    remove_redundant_locals(rest)
    if rest.is_obviously_empty():
        return True
    column = 0
    while column < rest.variables:
        substitute_equalities(rest, column, rest.variables)
        column += 1
        if rest.is_obviously_empty():
            return True
    for _ in range(rest.variables):
        eliminate(rest, cheapest(rest, 0, rest.variables))
        if rest.rows >= EXPLOSION * system.variables:
            return False
        if rest.is_obviously_empty():
            return True
    return False


def remove_redundant(system: System) -> None:
    """Takes away the inequalities that follow from the others."""
    rest = system.copy()
    kept: list[Row] = []
    nothing = [0] * system.columns
    for index, row in enumerate(system.inequalities):
        rest.inequalities[index] = [*(-value for value in row[:-1]), -row[-1] - 1]
        if is_empty(rest):
            rest.inequalities[index] = nothing
        else:
            rest.inequalities[index] = row[:]
            kept.append(row)
    system.inequalities = kept


def put_in(system: System, column: int, value: int) -> None:
    """Gives a variable a value."""
    for row in (*system.equalities, *system.inequalities):
        row[-1] += row[column] * value
    system.remove(column, column + 1)


def put_in_known(system: System, start: int, count: int) -> None:
    """Gives variables the values that equalities say."""
    for _ in range(count):
        at = equality_for(system, start, system.variables)
        if at is None:
            start += 1
        else:
            row = system.equalities[at]
            put_in(system, start, -row[-1] // row[start])


def equality_for(system: System, column: int, stop: int) -> int | None:
    """The first equality that gives a value to a variable, and in which no other one stands that is before `stop`."""
    for index, row in enumerate(system.equalities):
        if abs(row[column]) == 1 and not any(row[other] for other in range(stop) if other != column):
            return index
    return None
