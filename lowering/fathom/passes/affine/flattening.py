"""Affine expressions as rows of coefficients. A quotient or remainder in them has a local, which a system bounds.

i + (i + j) mod 4    ->    2 i + j - 4 q,  where  0 <= i + j - 4 q <= 3
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from fathom.ir.affine import (
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineSymbol,
    add,
    divide,
    multiply,
)
from fathom.passes.affine.effort import check_size, count_steps
from fathom.passes.affine.system import Row, System

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def flatten(exprs: Iterable[AffineExpr], dims: int, symbols: int) -> tuple[list[Row], System] | None:
    """A row for each expression, and what is known of the locals in them; None where one has a symbol as a factor or
    divisor, or divides by a number below one."""
    flattening = _Flattening(dims, symbols)
    rows = [flattening.row(expr) for expr in exprs]
    if any(row is None for row in rows):
        return None
    return [flattening.filled(row) for row in rows if row is not None], flattening.system


class _Flattening:
    """Rows are kept with the constant first, so that they stay as they are when a local comes behind."""

    def __init__(self, dims: int, symbols: int) -> None:
        self.system = System([None] * dims, [None] * symbols)
        self._dims = dims
        self._locals: dict[AffineExpr, int] = {}

    def filled(self, row: Row) -> Row:
        """With the constant last, and a coefficient for each local."""
        return [*row[1:], *[0] * (self.system.columns - len(row)), row[0]]

    def _unit(self, column: int) -> Row:
        row = [0] * (self.system.named + 1 + self.system.locals)
        row[column] = 1
        return row

    def row(self, expr: AffineExpr) -> Row | None:
        match expr:
            case AffineDim(position):
                return self._unit(1 + position)
            case AffineSymbol(position):
                return self._unit(1 + self._dims + position)
            case AffineConstant(value):
                return [value]
            case AffineBinary(kind, lhs, rhs):
                left = self.row(lhs)
                right = self.row(rhs) if left is not None else None
                if left is None or right is None:
                    return None
                return self._combined(kind, left, right, rhs)
            case _:
                return None

    def _combined(self, kind: str, left: Row, right: Row, rhs: AffineExpr) -> Row | None:
        count_steps(len(left) + len(right))
        if kind == "+":
            length = max(len(left), len(right))
            left, right = (row + [0] * (length - len(row)) for row in (left, right))
            return [one + other for one, other in zip(left, right, strict=True)]
        if not isinstance(rhs, AffineConstant):
            return None
        factor = rhs.value
        if kind == "*":
            made = [factor * value for value in left]
            check_size(made)
            return made
        if factor <= 0:
            return None
        return self._remainder(left, factor) if kind == "mod" else self._quotient(left, factor, kind)

    def _remainder(self, row: Row, divisor: int) -> Row:
        common = gcd(divisor, *row)
        if common == divisor:
            return [0]
        local = self._local([value // common for value in row], divisor // common, "floordiv")
        made = row + [0] * (local + 1 - len(row))
        made[local] -= divisor
        return made

    def _quotient(self, row: Row, divisor: int, kind: str) -> Row:
        common = gcd(divisor, *row)
        row = [value // common for value in row]
        if common == divisor:
            return row
        return self._unit(self._local(row, divisor // common, kind))

    def _local(self, dividend: Row, divisor: int, kind: str) -> int:
        """The column of the local that is a quotient."""
        filled = self.filled(dividend)
        dims, symbols = self._dims, len(self.system.symbols)
        expr = divide(kind, expression(filled, dims, symbols, [*self._locals]), AffineConstant(divisor))
        place = self._locals.get(expr)
        if place is None:
            place = self._locals[expr] = len(self._locals)
            if kind == "ceildiv":
                filled[-1] += divisor - 1
            self.system.add_quotient(filled, divisor)
        return 1 + self.system.named + place


def expression(row: Sequence[int], dims: int, symbols: int, locals: Sequence[AffineExpr] = ()) -> AffineExpr:
    """The expression that a row stands for."""
    terms = [*map(AffineDim, range(dims)), *map(AffineSymbol, range(symbols)), *locals]
    total: AffineExpr = AffineConstant(0)
    for term, factor in zip(terms, row[:-1], strict=True):
        if factor:
            total = add(total, multiply(term, AffineConstant(factor)))
    return add(total, AffineConstant(row[-1])) if row[-1] else total
