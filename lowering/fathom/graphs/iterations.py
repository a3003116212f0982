"""Loops that stand in each other, as numbers: what an index is in terms of their variables, and their iterations.

Dimension `dk` of an expression is the variable of the k-th loop, from the outermost on; a symbol is a value that all
iterations share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.graphs.structured import STRUCTURED
from fathom.ir.affine import (
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineSymbol,
    evaluate,
    leaves,
    substitute,
)
from fathom.ir.operation import OpResult, Value
from fathom.irdl.accesses import ACCESSES, NOTHING, Expressions, Loop, Operand, Says
from fathom.irdl.interfaces import Structured
from fathom.records import field, record
from fathom.rewriting.folding import known_number

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions

_LONGEST: Final = 200
"""An expression of more parts is not looked at."""
_DEEPEST: Final = 50
"""Nor one that so many operations make of each other."""
FEW: Final = 8
"""So many iterations are looked at of a loop of which nobody knows how often it runs."""

_MOST_VISITS: Final = 20_000
"""So many values of variables are gone through for the iterations of a nest."""

Point: TypeAlias = "tuple[int, ...]"


@record(eq=False)
class Bounds:
    """A loop in terms of those around it; None for what is not affine."""

    lower: tuple[AffineExpr, ...] | None
    upper: tuple[AffineExpr, ...] | None
    step: int | None


@record(eq=False)
class Nest:
    """Loops that stand in each other, from the outermost on, with who says what they are. `shared` are the values that
    are symbols, in their order."""

    context: Definitions
    loops: list[tuple[Operation, Loop]] = field(default_factory=list[tuple["Operation", Loop]])
    bounds: list[Bounds] = field(default_factory=list[Bounds])
    shared: list[Value] = field(default_factory=list[Value])

    def inside(self, op: Operation, loops: Sequence[Loop]) -> Nest:
        """This nest, with the loops that an operation in it is."""
        inner = Nest(self.context, [*self.loops], [*self.bounds], self.shared)
        first = len(inner.loops)
        for loop in loops:
            lower, upper = inner.resolved(loop.lower, first), inner.resolved(loop.upper, first)
            step = loop.step if isinstance(loop.step, int) else known_number(loop.step)
            inner.loops.append((op, loop))
            inner.bounds.append(Bounds(lower, upper, step if step is not None and step > 0 else None))
        return inner

    def says(self, op: Operation) -> Says:
        """What an operation is."""
        otherwise = STRUCTURED if op.interface(Structured) is not None else NOTHING
        return self.context.aspect(ACCESSES, op.dialect).get(op.name, otherwise)

    def resolved(self, given: Expressions, first: int) -> tuple[AffineExpr, ...] | None:
        """Expressions in the variables of the loops; those of the operation itself begin with the number `first`. None
        where one is not affine."""
        made = [self._operand(operand, first, 0) for operand in given.operands]
        known = [expr for expr in made if expr is not None]
        if len(known) < len(made):
            return None
        return self._placed(given, known)

    def _placed(self, given: Expressions, operands: Sequence[AffineExpr]) -> tuple[AffineExpr, ...] | None:
        dims, symbols = operands[: given.map.dims], operands[given.map.dims :]
        sizes = [_size(expr) for expr in operands]
        made: list[AffineExpr] = []
        for expr in given.map.results:
            size = 0
            for leaf in islice(leaves(expr), _LONGEST + 1):
                if isinstance(leaf, AffineDim):
                    size += sizes[leaf.position]
                elif isinstance(leaf, AffineSymbol):
                    size += sizes[given.map.dims + leaf.position]
                size += 1
            if size > _LONGEST:
                return None
            made.append(substitute(expr, dims, symbols))
        return tuple(made)

    def _operand(self, operand: Operand, first: int, depth: int) -> AffineExpr | None:
        if isinstance(operand, int):
            return AffineDim(first + operand)
        for number, (_, loop) in enumerate(self.loops):
            if loop.variable is operand:
                return AffineDim(number)
        number = known_number(operand)
        if number is not None:
            return AffineConstant(number)
        if isinstance(operand, OpResult):
            given = self.says(operand.op).index(operand.op)
            if given is not None and depth < _DEEPEST:
                made = [self._operand(each, first, depth + 1) for each in given.operands]
                known = [expr for expr in made if expr is not None]
                placed = self._placed(given, known) if len(known) == len(made) else None
                if placed is not None:
                    return placed[0]
        return None if self._varies(operand) else self._symbol(operand)

    def _symbol(self, value: Value) -> AffineExpr:
        if value not in self.shared:
            self.shared.append(value)
        return AffineSymbol(self.shared.index(value))

    def _varies(self, value: Value) -> bool:
        """Whether a value is another in each iteration, as far as is known: it is made in the outermost loop."""
        if not self.loops:
            return False
        outermost = self.loops[0][0]
        block = value.parent_block
        region = block.parent if block is not None else None
        op = value.op if isinstance(value, OpResult) else region.parent if region is not None else None
        while op is not None and op is not outermost:
            op = op.parent_op
        return op is outermost


def _size(expr: AffineExpr) -> int:
    return sum(1 for _ in islice(leaves(expr), _LONGEST + 1))


# ---- linear expressions


def coefficients(expr: AffineExpr, dims: int, symbols: int) -> tuple[list[int], int] | None:
    """By how much an expression grows with each dimension, and what it is at zero; None where it is not linear. It is
    found out at some places, and only looked for where no quotient stands in it."""
    if not _is_linear(expr):
        return None
    zeros, none = (0,) * dims, (0,) * symbols
    base = evaluate(expr, zeros, none)
    return [evaluate(expr, (*zeros[:at], 1, *zeros[at + 1 :]), none) - base for at in range(dims)], base


def _is_linear(expr: AffineExpr) -> bool:
    pending = [expr]
    while pending:
        each = pending.pop()
        if isinstance(each, AffineBinary):
            if each.kind not in ("+", "*"):
                return False
            if each.kind == "*" and not isinstance(each.rhs, AffineConstant):
                return False
            pending += (each.lhs, each.rhs)
    return True


def evaluator(expr: AffineExpr, dims: int, symbols: int) -> Callable[[Point], int | None]:
    """What gives an expression at a point, where symbols are zero; None where it divides by zero."""
    linear = coefficients(expr, dims, symbols)
    if linear is not None:
        grows, base = linear
        terms = [(at, by) for at, by in enumerate(grows) if by]
        return lambda point: base + sum(point[at] * by for at, by in terms)
    none = (0,) * symbols

    def at(point: Point) -> int | None:
        try:
            return evaluate(expr, point, none)
        except ZeroDivisionError:
            return None

    return at


# ---- iterations


@record(eq=False)
class Space:
    """The iterations of a nest in their order, each by the variables of its loops; all of them, or a window."""

    points: tuple[Point, ...]
    is_whole: bool


def space_of(nest: Nest, most: int) -> Space:
    """The iterations of a nest: all if they are no more than `most`, else those of a window at its beginning."""
    rank = len(nest.bounds)
    is_known = all(bounds.lower and bounds.upper and bounds.step and not _shares(bounds) for bounds in nest.bounds)
    if is_known:
        points, is_whole = _points(nest, [None] * rank, most)
        if is_whole:
            return Space(points, True)
    side = max(2, int(most ** (1 / max(rank, 1)) + 1e-9))
    caps = [side if bounds.upper and not _shares(bounds) else min(side, FEW) for bounds in nest.bounds]
    return Space(_points(nest, caps, most)[0], False)


def _shares(bounds: Bounds) -> bool:
    return any(
        isinstance(leaf, AffineSymbol)
        for expr in (*(bounds.lower or ()), *(bounds.upper or ()))
        for leaf in leaves(expr)
    )


def count_of(bounds: Bounds) -> int | None:
    """How often a loop runs within those around, where its bounds are numbers."""
    ends = (bounds.lower, bounds.upper)
    if bounds.step is None or not all(ends):
        return None
    numbers = [[expr.value for expr in end or () if isinstance(expr, AffineConstant)] for end in ends]
    if any(len(known) < len(end or ()) for known, end in zip(numbers, ends, strict=True)):
        return None
    return max(0, -((max(numbers[0]) - min(numbers[1])) // bounds.step))


def _points(nest: Nest, caps: Sequence[int | None], most: int) -> tuple[tuple[Point, ...], bool]:
    """The first iterations, and whether they are all, of each loop at most as many as its cap. Where a bound is not
    known, a loop begins with 0 and has as many."""
    made: list[Point] = []
    rank, shared = len(nest.bounds), len(nest.shared)
    lowers = [[evaluator(expr, rank, shared) for expr in bounds.lower or ()] for bounds in nest.bounds]
    uppers = [
        [evaluator(expr, rank, shared) for expr in bounds.upper or ()] if not _shares(bounds) else []
        for bounds in nest.bounds
    ]

    def values(level: int, around: Point) -> Iterator[int]:
        here = (*around, *(0,) * (rank - len(around)))
        first = max((each(here) or 0 for each in lowers[level]), default=0)
        step, cap = nest.bounds[level].step or 1, caps[level]
        last = min((end for each in uppers[level] if (end := each(here)) is not None), default=first + FEW * step)
        return iter(range(first, last if cap is None else min(last, first + cap * step), step))

    pending = [values(0, ())] if rank else []
    around: list[int] = []
    # Loops that run often around one that does not run at all make no iteration.
    for _ in range(_MOST_VISITS):
        if not pending:
            return tuple(made), True
        value = next(pending[-1], None)
        if value is None:
            pending.pop()
            if around:
                around.pop()
        elif len(pending) < rank:
            around.append(value)
            pending.append(values(len(pending), tuple(around)))
        elif len(made) == most:
            break
        else:
            made.append((*around, value))
    return tuple(made), False
