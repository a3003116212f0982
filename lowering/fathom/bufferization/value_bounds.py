"""What is known of the numbers that say which part of a tensor is meant, from all that they are computed of; and
whether two of them are the same.

Source of the rules: `ValueBoundsConstraintSet` of MLIR 22, and what arith, affine and scf tell it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.affine import AffineConstant, AffineSymbol, substitute
from fathom.ir.inequalities import Inequalities, combined
from fathom.ir.operation import BlockArgument
from fathom.ops.affine import ApplyOp, MaxOp, MinOp
from fathom.ops.arith import AddiOp, FloordivsiOp, MuliOp, SubiOp
from fathom.ops.scf import ForOp
from fathom.rewriting.folding import integer_constant, known_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.affine import AffineExpr, AffineMap
    from fathom.ir.inequalities import Row
    from fathom.ir.operation import Operation, Value

    Number: TypeAlias = int | Value

_SIGNS: Final = (1, -1)


def are_same(one: Number, other: Number) -> bool:
    """Whether two numbers are known to be the same. Nothing is known of those in a loop that never runs."""
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    bounds = ValueBounds()
    difference = combined(bounds.row(one), 1, bounds.row(other), -1)
    bounds.learn()
    if bounds.are_impossible():
        return False
    return all(bounds.is_proven(combined({}, 1, difference, sign)) for sign in _SIGNS)


class ValueBounds:
    """What is known of values: inequalities."""

    def __init__(self) -> None:
        self._facts = Inequalities()
        self._seen: set[Value] = set()
        self._pending: list[Value] = []

    def are_impossible(self) -> bool:
        return self._facts.are_impossible()

    def is_proven(self, row: Row) -> bool:
        """Whether a sum is not negative."""
        if set(row) <= {None}:
            return row.get(None, 0) >= 0
        negated = self._facts.copy()
        negated.add(combined({None: -1}, 1, row, -1))
        return negated.are_impossible()

    def row(self, number: Number) -> Row:
        """A number as a sum; what it is computed of is yet to be learned."""
        known = known_number(number)
        if known is not None:
            return {None: known}
        assert not isinstance(number, int), "it is known otherwise"
        if number not in self._seen:
            self._seen.add(number)
            self._pending.append(number)
        return {number: 1}

    def learn(self) -> None:
        """Finds out about all values that were met, and those behind them."""
        while self._pending:
            value = self._pending.pop()
            if isinstance(value, BlockArgument):
                self._learn_of_loop(value)
            elif value.defining_op is not None:
                self._learn_of_result(value, value.defining_op)

    def _learn_of_result(self, value: Value, op: Operation) -> None:
        if isinstance(op, (AddiOp, SubiOp)):
            sign = 1 if isinstance(op, AddiOp) else -1
            self._facts.set_equal({value: 1}, combined(self.row(op.lhs), 1, self.row(op.rhs), sign))
        elif isinstance(op, MuliOp):
            for factor, times in ((op.lhs, integer_constant(op.rhs)), (op.rhs, integer_constant(op.lhs))):
                if times is not None:
                    self._facts.set_equal({value: 1}, combined(self.row(factor), times, {}, 0))
        elif isinstance(op, FloordivsiOp):
            divisor = integer_constant(op.rhs)
            if divisor is not None and divisor > 0:
                self._facts.set_equal({value: 1}, self._facts.quotient(self.row(op.lhs), divisor))
        elif isinstance(op, ApplyOp):
            for row in self._rows(op.map.map, op.operands):
                self._facts.set_equal({value: 1}, row)
        elif isinstance(op, (MinOp, MaxOp)):
            sign = 1 if isinstance(op, MinOp) else -1
            for row in self._rows(op.map.map, op.operands):
                self._facts.add(combined(row, sign, {value: 1}, -sign))

    def _rows(self, map: AffineMap, operands: Sequence[Value]) -> list[Row]:
        """The results of a map that are sums."""
        numbers: list[AffineExpr] = []
        for place, operand in enumerate(operands):
            known = integer_constant(operand)
            numbers.append(AffineSymbol(place) if known is None else AffineConstant(known))
            self.row(operand)
        dims, symbols = numbers[: map.dims], numbers[map.dims :]
        expressions = [substitute(result, dims, symbols) for result in map.results]
        rows = [self._facts.linear(expression, (), operands) for expression in expressions]
        return [row for row in rows if row is not None]

    def _learn_of_loop(self, value: BlockArgument) -> None:
        """The index of a loop runs from its lower bound up to the last step before its upper bound."""
        region = value.block.parent
        loop = region.parent if region is not None else None
        if not isinstance(loop, ForOp) or value.index != 0:
            return
        low, high, step = self.row(loop.lowerBound), self.row(loop.upperBound), integer_constant(loop.step)
        index: Row = {value: 1}
        length = combined(combined(high, 1, low, -1), 1, {None: -1}, 1)
        self._facts.add(combined(index, 1, low, -1))
        self._facts.add(combined(combined(high, 1, index, -1), 1, {None: -1}, 1))
        if step is not None and step > 1:
            last = combined(low, 1, self._facts.quotient(length, step), step)
            self._facts.add(combined(last, 1, index, -1))
