"""Uses what is known of the numbers that integers can be.

Source of the rules: `IntRangeOptimizations.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.irdl.folding import MATERIALIZE_CONSTANT
from fathom.rewriting.effects import is_dead
from fathom.rewriting.folding import constant_attribute, integer_constant
from fathom.rewriting.greedy_driver import GreedyConfig, apply_greedily
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern
from fathom.rewriting.range_analysis import RangeAnalysis, attribute_of, source_dialect
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value
    from fathom.ops.arith import RemsiOp, RemuiOp
    from fathom.rewriting.rewriter import Rewriter

_REMAINDERS: Final = {"arith.remsi": True, "arith.remui": False}
"""The remainders, and whether they are of numbers with a sign."""


def use_known_numbers(root: Operation, context: Context) -> None:
    """Puts constants in the place of what is known to be one, and takes away remainders that change nothing."""
    analysis = RangeAnalysis(root, context)
    analysis.run()
    patterns = _Patterns(analysis)
    apply_greedily(root, patterns.of, context, GreedyConfig())


class _Patterns:
    """The patterns, with what is known."""

    def __init__(self, analysis: RangeAnalysis) -> None:
        self._ranges = analysis.ranges
        self._of_any = Pattern("", self._materialize, name="MaterializeKnownConstantValues")
        self._of_remainder = Pattern("", self._drop_remainder, name="DeleteTrivialRem")

    def of(self, name: str) -> Sequence[Pattern]:
        """Those for operations of a name."""
        return (self._of_remainder, self._of_any) if name in _REMAINDERS else (self._of_any,)

    def _number(self, value: Value) -> int | None:
        known = self._ranges.get(value)
        return known.constant if known is not None else None

    def _materialize(self, op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        if constant_attribute(op) is not None:
            return NO_MATCH
        changed = False
        for result in op.results:
            changed |= self._replace(result, rewriter)
        if op.results and changed and is_dead(op):
            rewriter.erase(op)
            return None
        for region in op.regions:
            for block in region.blocks:
                rewriter.set_insertion_to_start(block)
                for argument in block.arguments:
                    changed |= self._replace(argument, rewriter)
        return None if changed else NO_MATCH

    def _replace(self, value: Value, rewriter: Rewriter) -> bool:
        """Gives the users of a value the number that it is; whether it is one."""
        number = self._number(value) if value.uses else None
        if number is None:
            return False
        attribute, (span, location) = attribute_of(number, value.type), source_of(value)
        for dialect in (source_dialect(value), "arith"):
            make = rewriter.context.aspect(MATERIALIZE_CONSTANT, dialect)
            constant = make(rewriter.context, attribute, value.type, span) if make is not None else None
            if constant is not None:
                constant.location = location
                rewriter.insert(constant)
                self._ranges[constant.result] = self._ranges[value]
                rewriter.replace_all_uses(value, constant.result)
                return True
        return False

    def _drop_remainder(self, op: RemsiOp | RemuiOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        divisor, known = integer_constant(op.rhs), self._ranges.get(op.lhs)
        if divisor is None or divisor <= 0 or known is None or not known.width:
            return NO_MATCH
        half = 1 << (known.width - 1)
        low, high = (known.smin, known.smax) if _REMAINDERS[op.name] else (known.umin, known.umax)
        if not (0 <= low <= high < min(half, divisor)):
            return NO_MATCH
        rewriter.replace(op, [op.lhs])
        return None
