"""The numbers that a system says its variables lie between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.elimination import equality_for, project_out

if TYPE_CHECKING:
    from fathom.passes.affine.system import System

LEAST: Final = 1
GREATEST: Final = -1


def least(system: System, column: int) -> int | None:
    """The number that a variable is not below, as far as is found."""
    return _constant_bound(system, column, LEAST)


def greatest(system: System, column: int) -> int | None:
    """The number that a variable is not above, as far as is found."""
    return _constant_bound(system, column, GREATEST)


def only_value(system: System, column: int) -> int | None:
    """The only number that a variable can be, as far as is found."""
    low, high = least(system, column), greatest(system, column)
    return low if low == high else None


def _constant_bound(system: System, column: int, sign: int) -> int | None:
    system = system.copy()
    keep_related(system, column)
    project_out(system, 0, column)
    keep_related(system, 0)
    project_out(system, 1, system.variables - 1)
    at = equality_for(system, 0, system.variables)
    if at is not None:
        row = system.equalities[at]
        return -row[-1] // row[0]
    bounds = [row for row in system.inequalities if row[0] * sign > 0 and not any(row[1:-1])]
    if not bounds:
        return None
    if sign == LEAST:
        return max(-(row[-1] // row[0]) for row in bounds)
    return min(row[-1] // -row[0] for row in bounds)


def keep_related(system: System, column: int) -> None:
    """Takes away the rows that say nothing of a variable, nor of any that it is related to."""
    columns, rows = {column}, [*system.inequalities, *system.equalities]
    count_steps(len(rows) * system.columns)
    by_column: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        for place, value in enumerate(row[:-1]):
            if value:
                by_column.setdefault(place, []).append(index)
    related: set[int] = set()
    pending = [column]
    while pending:
        for index in by_column.get(pending.pop(), ()):
            if index in related:
                continue
            related.add(index)
            for place, value in enumerate(rows[index][:-1]):
                if value and place not in columns:
                    columns.add(place)
                    pending.append(place)
    split = len(system.inequalities)
    system.inequalities = [row for index, row in enumerate(rows[:split]) if index in related]
    system.equalities = [row for index, row in enumerate(rows[split:], split) if index in related]
