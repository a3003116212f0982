"""Linear inequalities of integers, and whether anything satisfies them all: by elimination after Fourier and Motzkin.

What is found to be impossible is impossible; not everything that is impossible is found.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineSymbol

if TYPE_CHECKING:
    from fathom.ir.affine import AffineExpr

Row: TypeAlias = "dict[Hashable, int]"
"""A sum: how often each variable is in it, and under `None` a number."""

MOST_ROWS = 512
"""With more of them it counts as possible."""


def combined(one: Row, by: int, other: Row, times: int) -> Row:
    """A sum of multiples of two sums."""
    keys = {**one, **other}
    sums = {key: one.get(key, 0) * by + other.get(key, 0) * times for key in keys}
    return {key: value for key, value in sums.items() if value or key is None}


class Inequalities:
    """Sums that are not negative, and such that are zero."""

    def __init__(self, rows: Sequence[Row] = (), zeros: Sequence[Row] = ()) -> None:
        self.rows = list(rows)
        self.zeros = list(zeros)
        self._fresh = 0

    def copy(self) -> Inequalities:
        other = Inequalities(self.rows, self.zeros)
        other._fresh = self._fresh
        return other

    def add(self, row: Row) -> None:
        self.rows.append(row)

    def set_equal(self, one: Row, other: Row) -> None:
        self.zeros.append(combined(one, 1, other, -1))

    def linear(self, expr: AffineExpr, dims: Sequence[Hashable], symbols: Sequence[Hashable]) -> Row | None:
        """An expression as a sum; a quotient is a variable of its own. None where it is none."""
        match expr:
            case AffineConstant(value):
                return {None: value}
            case AffineDim(position):
                return {dims[position]: 1}
            case AffineSymbol(position):
                return {symbols[position]: 1}
            case AffineBinary(kind, lhs, rhs):
                left = self.linear(lhs, dims, symbols)
                right = self.linear(rhs, dims, symbols)
                return self._binary(kind, left, right) if left is not None and right is not None else None
            case _:
                return None

    def _binary(self, kind: str, left: Row, right: Row) -> Row | None:
        if kind == "+":
            return combined(left, 1, right, 1)
        number = right.get(None, 0)
        if any(key is not None for key in right) or (kind != "*" and number <= 0):
            return None
        if kind == "*":
            return combined(left, number, {}, 0)
        if kind == "ceildiv":
            return self.quotient(combined(left, 1, {None: number - 1}, 1), number)
        quotient = self.quotient(left, number)
        return quotient if kind == "floordiv" else combined(left, 1, quotient, -number)

    def quotient(self, row: Row, divisor: int) -> Row:
        """A sum divided by a number, rounded down."""
        self._fresh += 1
        whole: Row = {("quotient", self._fresh): 1}
        rest = combined(row, 1, whole, -divisor)
        self.add(rest)
        self.add(combined({None: divisor - 1}, 1, rest, -1))
        return whole

    def are_impossible(self) -> bool:
        """Whether no integers satisfy all."""
        rows = {_key(row): row for row in map(_tightened, _with_equal_values(self.rows, self.zeros))}
        while True:
            if any(row.get(None, 0) < 0 and len(row) == 1 for row in rows.values()):
                return True
            variables = {key for row in rows.values() for key in row if key is not None}
            if not variables or len(rows) > MOST_ROWS:
                return False
            rows = _without(min(variables, key=lambda variable: _cost(variable, rows)), rows)


def _with_equal_values(rows: Sequence[Row], zeros: Sequence[Row]) -> list[Row]:
    """The sums with what variables are equal to in their place, as far as that is a sum."""
    rows, left = list(rows), list(zeros)
    while left:
        zero = left.pop()
        variable = next((key for key, value in zero.items() if key is not None and abs(value) == 1), None)
        if variable is None:
            rows += [zero, combined({}, 1, zero, -1)]
            continue
        sign = zero[variable]
        rows = [combined(row, 1, zero, -sign * row.get(variable, 0)) for row in rows]
        left = [combined(row, 1, zero, -sign * row.get(variable, 0)) for row in left]
    return rows


def _cost(variable: Hashable, rows: dict[Hashable, Row]) -> tuple[int, str]:
    signs = [row.get(variable, 0) for row in rows.values()]
    return sum(sign > 0 for sign in signs) * sum(sign < 0 for sign in signs), str(id(variable))


def _without(variable: Hashable, rows: dict[Hashable, Row]) -> dict[Hashable, Row]:
    """What follows for the other variables."""
    above = [row for row in rows.values() if row.get(variable, 0) < 0]
    below = [row for row in rows.values() if row.get(variable, 0) > 0]
    kept = {key: row for key, row in rows.items() if not row.get(variable, 0)}
    for upper in above:
        for lower in below:
            row = _tightened(combined(upper, lower[variable], lower, -upper[variable]))
            kept[_key(row)] = row
    return kept


def _tightened(row: Row) -> Row:
    """The same for integers, divided by what its factors have in common."""
    factor = gcd(*(value for key, value in row.items() if key is not None))
    number = row.get(None, 0)
    if factor <= 1:
        return {**row, None: number}
    return {key: value // factor for key, value in {**row, None: number}.items()}


def _key(row: Row) -> Hashable:
    return frozenset(row.items())
