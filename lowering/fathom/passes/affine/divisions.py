"""Variables that two inequalities, or an equality, say to be a quotient: `4 q <= i + j <= 4 q + 3` is
`q = (i + j) floordiv 4`. Systems that are joined have locals in common that are the same quotient.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from fathom.passes.affine.effort import count_steps
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.passes.affine.system import Row, System


@record
class Quotient:
    """`dividend floordiv divisor`; the dividend has a coefficient for each variable, and a constant."""

    dividend: tuple[int, ...]
    divisor: int
    is_exact: bool
    """Whether an equality says so."""


def quotient_of(system: System, column: int, known: Sequence[bool]) -> Quotient | None:
    """The quotient that a variable is of variables that are known."""
    lower, upper, equal = system.bounds_on(column)
    count_steps(len(lower) * len(upper) * system.columns)
    for greatest in upper:
        for least in lower:
            quotient = _between(system.inequalities[least], system.inequalities[greatest], column)
            if quotient is not None and _is_known(quotient, column, known):
                return quotient
    for index in equal:
        quotient = _by_equality(system.equalities[index], column)
        if _is_known(quotient, column, known):
            return quotient
    return None


def _is_known(quotient: Quotient, column: int, known: Sequence[bool]) -> bool:
    return all(known[other] or not quotient.dividend[other] for other in range(len(known)) if other != column)


def _between(lower: Row, upper: Row, column: int) -> Quotient | None:
    divisor = lower[column]
    if any(one != -other for one, other in zip(upper[:-1], lower[:-1], strict=True)):
        return None
    # A bound may be sharper by so much than that of a quotient.
    slack = divisor - 1 - lower[-1] - upper[-1]
    if not 0 <= slack < divisor:
        return None
    dividend = upper[:]
    dividend[column] = 0
    dividend[-1] += slack
    return _reduced(dividend, divisor, is_exact=False)


def _by_equality(row: Row, column: int) -> Quotient:
    sign = -1 if row[column] > 0 else 1
    dividend = [sign * value for value in row]
    dividend[column] = 0
    return _reduced(dividend, abs(row[column]), is_exact=True)


def _reduced(dividend: Row, divisor: int, *, is_exact: bool) -> Quotient:
    """The constant is rounded down: what it is too little by does not change the quotient. Of a dividend that is but
    a constant, that counts."""
    common = gcd(divisor, *(dividend[:-1] or dividend))
    return Quotient(tuple(value // common for value in dividend), divisor // common, is_exact)


def local_quotients(system: System) -> list[Quotient | None]:
    """For each local the quotient that it is, if it is one."""
    known = [True] * system.named + [False] * system.locals
    quotients: list[Quotient | None] = [None] * system.locals
    changed = True
    while changed:
        changed = False
        for index in range(system.locals):
            column = system.named + index
            if not known[column] and (quotient := quotient_of(system, column, known)) is not None:
                quotients[index] = quotient
                known[column] = changed = True
    return quotients


def merge_locals(one: System, other: System) -> None:
    """Has two systems over the same dimensions and symbols have the same locals: those of the first, then those of the
    second that are not the same quotient as another."""
    own = one.locals
    one.insert_locals(own, other.locals)
    other.insert_locals(0, own)
    mine, theirs = local_quotients(one), local_quotients(other)
    merged = [_lowest_terms(quotient) for quotient in (*mine[:own], *theirs[own:])]
    index = 0
    while index < len(merged):
        after = index + 1
        while after < len(merged):
            if merged[index] is None or after < own or not _are_same(merged[index], merged[after]):
                after += 1
                continue
            for system in (one, other):
                _add_column(system.equalities, system.named + index, system.named + after)
                _add_column(system.inequalities, system.named + index, system.named + after)
                system.remove(system.named + after, system.named + after + 1)
            kept, gone = one.named + index, one.named + after
            merged = [_without_column(quotient, kept, gone) for place, quotient in enumerate(merged) if place != after]
        index += 1


def _lowest_terms(quotient: Quotient | None) -> Quotient | None:
    if quotient is None:
        return None
    common = gcd(quotient.divisor, *quotient.dividend)
    return Quotient(tuple(value // common for value in quotient.dividend), quotient.divisor // common, False)


def _are_same(one: Quotient | None, other: Quotient | None) -> bool:
    return one is not None and one == other


def _add_column(rows: list[Row], to: int, of: int) -> None:
    count_steps(len(rows))
    for row in rows:
        row[to] += row[of]


def _without_column(quotient: Quotient | None, kept: int, gone: int) -> Quotient | None:
    if quotient is None:
        return None
    dividend = [*quotient.dividend]
    dividend[kept] += dividend[gone]
    del dividend[gone]
    return Quotient(tuple(dividend), quotient.divisor, False)
