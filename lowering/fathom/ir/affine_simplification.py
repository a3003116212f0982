"""Affine expressions, simplified as sums: flattened to coefficients of dimensions, of symbols and of what cannot be
flattened, and put together again.

Maps that passes make come out of here, so that the text of one depends on each step of this. Source of the rules:
*Affine Dialect*, "Semi-affine Maps"; the order of terms is that of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from math import gcd
from typing import Final

from fathom.ir.affine import (
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineMap,
    AffineSymbol,
    add,
    combine,
    divide,
    multiply,
    negate,
)
from fathom.ir.affine_division import quotient_by_symbol
from fathom.records import replace

CONSTANT: Final = -1
"""The column of the constant term."""

Bounds = Sequence["int | None"]
"""A number for each operand of a map, or None."""

Row = dict[int, int]
"""The coefficients of a sum by column: those of dimensions, of symbols, of other terms, and the constant."""


@lru_cache(maxsize=256)
def simplify_map(map: AffineMap) -> AffineMap:
    """The map with each result simplified."""
    return replace(map, results=tuple(simplify(result, map.dims, map.symbols) for result in map.results))


def simplify(expr: AffineExpr, dims: int, symbols: int) -> AffineExpr:
    """The expression, simplified; one that divides by a number below one is left as it is."""
    pure = is_pure(expr)
    if not pure:
        expr = _simplify_semi_affine(expr, dims, symbols)
        pure = is_pure(expr)
    flattener = _Flattener(dims, symbols)
    row = flattener.flatten(expr)
    if row is None:
        return expr
    built = flattener.build(row)
    # Terms of an expression that is not pure are sorted, unless it is a sum in this order already.
    return built if pure or built == expr else flattener.build_sorted(row)


def is_pure(expr: AffineExpr) -> bool:
    """Whether all factors and divisors are numbers."""
    match expr:
        case AffineBinary("+", lhs, rhs):
            return is_pure(lhs) and is_pure(rhs)
        case AffineBinary("*", AffineConstant(), rhs):
            return is_pure(rhs)
        case AffineBinary(_, lhs, rhs):
            return isinstance(rhs, AffineConstant) and is_pure(lhs)
        case _:
            return True


def coefficients(expr: AffineExpr, dims: int, symbols: int) -> tuple[int, ...] | None:
    """The coefficients of the dimensions, of the symbols, and the constant, of an expression that is their sum; None of
    any other."""
    row = _Flattener(dims, symbols).flatten(expr) if is_pure(expr) else None
    if row is None or any(column >= dims + symbols for column in row):
        return None
    return (*(row.get(column, 0) for column in range(dims + symbols)), row.get(CONSTANT, 0))


class _Flattener:
    """What is no sum of dimensions and symbols, as a quotient or a product of symbols, has a column of its own."""

    def __init__(self, dims: int, symbols: int) -> None:
        self._dims = dims
        self._symbols = symbols
        self._locals: list[AffineExpr] = []
        self._places: dict[AffineExpr, int] = {}
        self._rows: dict[AffineExpr, Row | None] = {}

    # From an expression to a row.

    def flatten(self, expr: AffineExpr) -> Row | None:
        """The row of an expression; None where it divides by a number below one."""
        match expr:
            case AffineDim(position):
                return {position: 1}
            case AffineSymbol(position):
                return {self._dims + position: 1}
            case AffineConstant(value):
                return {CONSTANT: value}
            case AffineBinary():
                # What is composed may hold the same part many times over.
                if expr not in self._rows:
                    self._rows[expr] = self._flatten(expr)
                row = self._rows[expr]
                return dict(row) if row is not None else None
            case _:
                raise TypeError(f"not an affine expression: {expr!r}")

    def _flatten(self, expr: AffineBinary) -> Row | None:
        kind, rhs = expr.kind, expr.rhs
        left = self.flatten(expr.lhs)
        right = self.flatten(rhs) if left is not None else None
        if left is None or right is None:
            return None
        if kind == "+":
            for column, value in right.items():
                left[column] = left.get(column, 0) + value
            return left
        if not isinstance(rhs, AffineConstant):
            return {self._column(combine(kind, self.build(left), self.build(right))): 1}
        if kind == "*":
            return {column: value * rhs.value for column, value in left.items()}
        if rhs.value <= 0:
            return None
        return self._mod(left, rhs.value) if kind == "mod" else self._quotient(kind, left, rhs.value)

    def _mod(self, row: Row, divisor: int) -> Row:
        """`x mod c` is `x - c * (x floordiv c)`."""
        common = gcd(divisor, *row.values())
        if common == divisor:
            return {}
        dividend = {column: value // common for column, value in row.items()}
        quotient = divide("floordiv", self.build(dividend), AffineConstant(divisor // common))
        column = self._column(quotient)
        return {**row, column: row.get(column, 0) - divisor}

    def _quotient(self, kind: str, row: Row, divisor: int) -> Row:
        common = gcd(divisor, *row.values())
        dividend = {column: value // common for column, value in row.items()}
        if common == divisor:
            return dividend
        return {self._column(divide(kind, self.build(dividend), AffineConstant(divisor // common))): 1}

    def _column(self, expr: AffineExpr) -> int:
        place = self._places.setdefault(expr, len(self._locals))
        if place == len(self._locals):
            self._locals.append(expr)
        return self._dims + self._symbols + place

    # From a row to an expression.

    def _term(self, column: int) -> AffineExpr:
        if column < self._dims:
            return AffineDim(column)
        column -= self._dims
        return AffineSymbol(column) if column < self._symbols else self._locals[column - self._symbols]

    def build(self, row: Row) -> AffineExpr:
        """The sum: dimensions, symbols, other terms in the order in which they were met, the constant."""
        return self._sum(row, sorted(column for column in row if column != CONSTANT))

    def _sum(self, row: Row, columns: list[int]) -> AffineExpr:
        total: AffineExpr = AffineConstant(0)
        for column in columns:
            if row[column]:
                total = add(total, multiply(self._term(column), AffineConstant(row[column])))
        constant = row.get(CONSTANT, 0)
        return add(total, AffineConstant(constant)) if constant else total

    def build_sorted(self, row: Row) -> AffineExpr:
        """The sum of an expression that is not pure: by the position of the dimension or symbol that a term begins
        with, dimensions before symbols; other terms behind them."""
        terms = sorted(column for column in row if column != CONSTANT and row[column])
        symbolic = [column for column in terms if self._dims <= column < self._dims + self._symbols]
        others = [column for column in terms if column >= self._dims + self._symbols]
        behind = count(max(self._dims, self._symbols))
        before = count(-1, -1)
        keys: dict[int, tuple[int, int]] = {}
        for column in symbolic:
            keys[column] = (column - self._dims, next(behind))
        for column in others:
            match self._term(column):
                case AffineBinary(_, AffineDim(position), AffineConstant()):
                    keys[column] = (position, next(before))
                case AffineBinary(_, AffineDim(position), AffineSymbol(other)):
                    keys[column] = (position, other)
                case AffineBinary(_, AffineSymbol(position), AffineConstant() | AffineSymbol()):
                    keys[column] = (position, next(behind))
                case _:
                    pass
        for column in terms:
            if column < self._dims:
                keys[column] = (column, next(before))
        first = sorted(keys, key=lambda column: keys[column])
        return self._sum(row, [*first, *(column for column in others if column not in keys)])


def bound(expr: AffineExpr, dims: int, symbols: int, lower: Bounds, upper: Bounds, *, is_upper: bool) -> int | None:
    """The greatest value of an expression (the least if not `is_upper`) where its operands lie between numbers; None
    where there is no telling. Operands have no bound where there is None."""
    match expr:
        case AffineConstant(value):
            return value
        case AffineBinary("floordiv" | "ceildiv" as kind, lhs, rhs):
            of_lhs = bound(lhs, dims, symbols, lower, upper, is_upper=is_upper)
            if not isinstance(rhs, AffineConstant) or rhs.value < 1 or of_lhs is None:
                return None
            return of_lhs // rhs.value if kind == "floordiv" else -(-of_lhs // rhs.value)
        case AffineBinary("mod", lhs, AffineConstant(divisor)) if divisor >= 1:
            least = bound(lhs, dims, symbols, lower, upper, is_upper=False)
            greatest = bound(lhs, dims, symbols, lower, upper, is_upper=is_upper)
            if least is not None and greatest is not None and least // divisor == greatest // divisor:
                return (greatest if is_upper else least) % divisor
            return divisor - 1 if is_upper else 0
        case _:
            return _bound_of_sum(expr, dims, symbols, lower, upper, is_upper=is_upper)


def _bound_of_sum(
    expr: AffineExpr, dims: int, symbols: int, lower: Bounds, upper: Bounds, *, is_upper: bool
) -> int | None:
    row = _Flattener(dims, symbols).flatten(expr)
    if row is None or any(column >= dims + symbols for column in row):
        return None
    total = row.pop(CONSTANT, 0)
    for column, factor in row.items():
        limit = (upper if is_upper == (factor > 0) else lower)[column] if factor else 0
        if limit is None:
            return None
        total += factor * limit
    return total


# ---- expressions in which symbols are factors and divisors


def _simplify_semi_affine(expr: AffineExpr, dims: int, symbols: int) -> AffineExpr:
    """Quotients and remainders by a symbol of what has it as a factor, simplified, wherever they stand."""
    match expr:
        case AffineBinary("+" | "*" as kind, lhs, rhs):
            return combine(kind, _simplify_semi_affine(lhs, dims, symbols), _simplify_semi_affine(rhs, dims, symbols))
        case AffineBinary(kind, lhs, rhs):
            dividend = _simplify_semi_affine(lhs, dims, symbols)
            divisor = _simplify_semi_affine(rhs, dims, symbols)
            if _removes_remainder(dividend, divisor, dims, symbols):
                return AffineConstant(0)
            simpler = quotient_by_symbol(kind, lhs, dividend, divisor) if isinstance(divisor, AffineSymbol) else None
            return combine(kind, dividend, divisor) if simpler is None else simpler
        case _:
            return expr


def _removes_remainder(expr: AffineExpr, divisor: AffineExpr, dims: int, symbols: int) -> bool:
    """Whether an expression is `x - x mod y` for the divisor `y`, as the bounds of peeled loops are."""
    terms = _summands(expr)
    for index, term in enumerate(terms):
        match term:
            case AffineBinary("*", AffineBinary("mod", dividend, modulus), AffineConstant(-1)) if modulus == divisor:
                rest: AffineExpr = AffineConstant(0)
                for other in (*terms[:index], *terms[index + 1 :], negate(dividend)):
                    rest = add(rest, other)
                if simplify(rest, dims, symbols) == AffineConstant(0):
                    return True
            case _:
                pass
    return False


def _summands(expr: AffineExpr) -> list[AffineExpr]:
    match expr:
        case AffineBinary("+", lhs, rhs):
            return [*_summands(lhs), *_summands(rhs)]
        case _:
            return [expr]
