"""What the loops around tell of the values of affine expressions, and what follows from it for maps.

    affine.for %i = 0 to 4 { affine.apply affine_map<(d0) -> (d0 mod 8)>(%i) }    ->    affine_map<(d0) -> (d0)>(%i)

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING

from fathom.dialects.affine.scope import is_induction_variable
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import (
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineMap,
    combine,
    divide,
    known_divisor,
)
from fathom.ir.affine_simplification import Bounds, bound
from fathom.ir.operation import BlockArgument
from fathom.ops.affine import ForOp
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Value


def range_of(value: Value) -> tuple[int | None, int | None]:
    """The least and the greatest number that the variable of a loop with known bounds is."""
    loop = _loop_of(value)
    if loop is None:
        return None, None
    low, high, step = constant_bound(loop.lowerBoundMap), constant_bound(loop.upperBoundMap), loop.step.value
    if high is None:
        return low, None
    if low is None or step <= 0:
        return low, high - 1
    # The remainder has the sign of what is divided, as in C++.
    distance = high - low - 1
    return low, high - 1 - (abs(distance) % step) * (1 if distance >= 0 else -1)


def _loop_of(value: Value) -> ForOp | None:
    """The `affine.for` whose iterations a value counts."""
    if not isinstance(value, BlockArgument) or not is_induction_variable(value):
        return None
    loop = value.block.parent.parent if value.block.parent is not None else None
    return loop if isinstance(loop, ForOp) else None


def simplify_by_ranges(map: AffineMap, operands: Sequence[Value]) -> AffineMap:
    """The map without quotients and remainders whose values are known, given its operands, which it has all."""
    if not any(isinstance(result, AffineBinary) for result in map.results):
        return map
    simplification = _Simplification(map, operands)
    return replace(map, results=tuple(simplification.of(result) for result in map.results))


class _Simplification:
    """Simplifies the expressions of a map that is applied to operands."""

    def __init__(self, map: AffineMap, operands: Sequence[Value]) -> None:
        self._dims, self._symbols = map.dims, map.symbols
        self._operands = operands
        ends = [range_of(value) for value in operands]
        self._lower: Bounds = [low for low, _ in ends]
        self._upper: Bounds = [high for _, high in ends]

    def of(self, expr: AffineExpr) -> AffineExpr:
        if not isinstance(expr, AffineBinary):
            return expr
        expr = combine(expr.kind, self.of(expr.lhs), self.of(expr.rhs))
        match expr:
            case AffineBinary("floordiv" | "ceildiv" | "mod", _, AffineConstant(divisor)) if divisor > 0:
                return self._of_division(expr, divisor)
            case _:
                return expr

    def _of_division(self, expr: AffineBinary, divisor: int) -> AffineExpr:
        kind, lhs = expr.kind, expr.lhs
        low, high = (self._bound(lhs, is_upper=is_upper) for is_upper in (False, True))
        if low is not None and high is not None:
            if kind == "floordiv" and low // divisor == high // divisor:
                return AffineConstant(low // divisor)
            if kind == "ceildiv" and -(-low // divisor) == -(-high // divisor):
                return AffineConstant(-(-low // divisor))
            if kind == "mod" and 0 <= low < divisor and high < divisor:
                return lhs
        parts = self._multiple_and_rest(lhs)
        if parts is not None:
            factor, multiple, rest = parts
            if kind == "floordiv" and divisor % factor == 0:
                return divide(kind, multiple, expr.rhs)
            if kind == "mod" and factor % divisor == 0:
                return divide(kind, rest, expr.rhs)
            return expr
        if (kind == "floordiv" and self._is_below(lhs, divisor)) or (
            kind == "mod" and self._divisor(lhs) % divisor == 0
        ):
            return AffineConstant(0)
        return expr

    def _bound(self, expr: AffineExpr, *, is_upper: bool) -> int | None:
        return bound(expr, self._dims, self._symbols, self._lower, self._upper, is_upper=is_upper)

    def _multiple_and_rest(self, expr: AffineExpr) -> tuple[int, AffineExpr, AffineExpr] | None:
        """Of a sum, the summand that is a multiple of a number, with the number, and the other one, which is less than
        that and not negative."""
        if not isinstance(expr, AffineBinary) or expr.kind != "+":
            return None
        for multiple, rest in ((expr.lhs, expr.rhs), (expr.rhs, expr.lhs)):
            factor = self._divisor(multiple)
            if self._is_below(rest, factor):
                return factor, multiple, rest
        return None

    def _divisor(self, expr: AffineExpr) -> int:
        """A number that the values of an expression are multiples of."""
        if not isinstance(expr, AffineDim):
            return known_divisor(expr)
        loop = _loop_of(self._operands[expr.position])
        if loop is None:
            return 1
        if constant_bound(loop.lowerBoundMap) == 0:
            return loop.step.value
        return gcd(loop.step.value, *(known_divisor(result) for result in loop.lowerBoundMap.map.results))

    def _is_below(self, expr: AffineExpr, limit: int) -> bool:
        """Whether the values of an expression are known to be less than a number, and not negative."""
        if isinstance(expr, AffineConstant):
            return 0 <= expr.value < limit
        loop = _loop_of(self._operands[expr.position]) if isinstance(expr, AffineDim) else None
        if loop is None:
            return False
        low, high = constant_bound(loop.lowerBoundMap), constant_bound(loop.upperBoundMap)
        return low is not None and low >= 0 and high is not None and high <= limit
