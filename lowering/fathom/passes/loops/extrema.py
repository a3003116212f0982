"""`affine.min` and `affine.max` that are one of their values, by what is known of the indices of loops.

    scf.for %i = %c0 to %c8 step %c2 { %0 = affine.min affine_map<(d0) -> (2, -d0 + 8)>(%i) … }       ->      2

Source of the rules: `AffineCanonicalizationUtils.cpp` of MLIR 22's scf, and `simplifyConstrainedMinMaxOp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import canonicalize
from fathom.dialects.scf.parallel import bounds_of
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol, substitute
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.inequalities import Inequalities, combined
from fathom.ir.operation import BlockArgument, Value
from fathom.ir.types import INDEX
from fathom.ops.affine import MaxOp, MinOp
from fathom.ops.scf import ForallOp, ForOp, ParallelOp
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import NO_MATCH, Failure, Replacement, replacing

if TYPE_CHECKING:
    from fathom.ir.inequalities import Row
    from fathom.ir.operation import Operation
    from fathom.rewriting.rewriter import Rewriter

    Range = tuple[int | Value, int | Value, int | Value]

RESULT: Final = "result"
EXTREMA: Final = (MinOp, MaxOp)


class Known:
    """What is known of values: inequalities, and those that are numbers. The order of values is that in which MLIR
    writes them."""

    def __init__(self) -> None:
        self.facts = Inequalities()
        self.dims: list[Value] = []
        self.symbols: list[Value] = []
        self.numbers: dict[Value, int] = {}

    def row(self, value: int | Value) -> Row:
        """A value as a sum; if it is a constant, that is known."""
        if isinstance(value, int):
            return {None: value}
        number = known_number(value)
        if number is not None and value not in self.numbers:
            self.numbers[value] = number
            self.facts.set_equal({value: 1}, {None: number})
        if value not in self.symbols:
            self.symbols.append(value)
        return {value: 1}

    def add_range(self, index: Value, lower: int | Value, upper: int | Value, step: int | Value) -> bool:
        """An index from a lower to an upper bound by a step, which must be a number."""
        by = known_number(step)
        if by is None or by <= 0:
            return False
        self.dims.append(index)
        low, high = self.row(lower), self.row(upper)
        self.facts.add(combined({index: 1}, 1, low, -1))
        first, last = known_number(lower), known_number(upper)
        if first is not None and last is not None and first + by >= last:
            self.facts.add(combined(low, 1, {index: 1}, -1))
            self.numbers[index] = first
            return True
        length = combined(combined(high, 1, low, -1), 1, {None: -1}, 1)
        greatest = combined(low, 1, self.facts.quotient(length, by), by)
        self.facts.add(combined(greatest, 1, {index: 1}, -1))
        return True


def simplified(op: MinOp | MaxOp, known: Known, rewriter: Rewriter) -> Operation | None:
    """The `affine.apply` of the value that is the least, or the greatest, for sure."""
    map, operands = op.map.map, list(op.operands)
    dims, symbols = operands[: map.dims], operands[map.dims :]
    facts = known.facts.copy()
    rows: list[Row] = []
    for result in map.results:
        row = facts.linear(result, dims, symbols)
        if row is None:
            return None
        rows.append(row)
    sign = 1 if isinstance(op, MinOp) else -1
    for row in rows:
        facts.add(combined(row, sign, {RESULT: 1}, -sign))
    if facts.are_impossible():
        return None
    for number, row in enumerate(rows):
        others = [other for place, other in enumerate(rows) if place != number]
        if all(_is_proven(facts, combined(other, sign, row, -sign)) for other in others):
            return _apply(map, map.results[number], dims, symbols, known, rewriter)
    return None


def _is_proven(facts: Inequalities, row: Row) -> bool:
    """Whether a sum is not negative."""
    negated = facts.copy()
    negated.add(combined(combined({}, 1, row, -1), 1, {None: -1}, 1))
    return negated.are_impossible()


def _apply(
    map: AffineMap,
    result: AffineExpr,
    dims: Sequence[Value],
    symbols: Sequence[Value],
    known: Known,
    rewriter: Rewriter,
) -> Operation:
    inside, outside = [*known.dims], [*known.symbols]
    for value in dims:
        if value not in inside and value not in outside:
            inside.append(value)
    for value in symbols:
        if value not in inside and value not in outside:
            outside.append(value)

    def leaf(value: Value) -> AffineExpr:
        number = known.numbers.get(value) if known_number(value) is None else None
        if number is not None:
            return AffineConstant(number)
        return AffineDim(inside.index(value)) if value in inside else AffineSymbol(outside.index(value))

    expr = substitute(result, [leaf(value) for value in dims], [leaf(value) for value in symbols])
    new, operands = canonicalize(AffineMap(len(inside), len(outside), (expr,)), [*inside, *outside])
    return rewriter.create("affine.apply", operands, [INDEX], {"map": AffineMapAttr(new)})


# ---- in loops


def _range_of(value: Value) -> Range | None:
    """The bounds and the step of the loop that a value is an index of."""
    if not isinstance(value, BlockArgument) or not value.block.is_entry:
        return None
    region = value.block.parent
    loop, place = region.parent if region is not None else None, value.index
    if isinstance(loop, ForOp):
        return (loop.lowerBound, loop.upperBound, loop.step) if place == 0 else None
    if isinstance(loop, ParallelOp):
        return loop.lowerBound[place], loop.upperBound[place], loop.step[place]
    if isinstance(loop, ForallOp):
        lower, upper, step = bounds_of(loop)
        return (lower[place], upper[place], step[place]) if place < len(step) else None
    return None


def in_loop(op: MinOp | MaxOp, rewriter: Rewriter) -> Replacement:
    known = Known()
    for value in dict.fromkeys(op.operands):
        range_ = _range_of(value)
        if range_ is not None and not known.add_range(value, *range_):
            return Failure("the step is not known")
    return simplified(op, known, rewriter) or NO_MATCH


PATTERNS: Final = tuple(
    replacing(name, in_loop, name="AffineOpSCFCanonicalizationPattern") for name in ("affine.min", "affine.max")
)
