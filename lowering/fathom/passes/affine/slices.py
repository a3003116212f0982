"""Slices of loop nests: those iterations of one nest that an iteration of another needs, as bounds for its loops.

Source of the rules: `ComputationSliceState` and `computeSliceUnion` of MLIR 22.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from fathom.dialects.affine.scope import is_symbol
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, add, negate
from fathom.ir.affine_simplification import simplify
from fathom.ops.affine import ForOp
from fathom.passes.affine.accesses import READS, Access, Outcome, dependence
from fathom.passes.affine.boxes import are_aligned, are_same_values, enlarge, slice_bounds
from fathom.passes.affine.differences import is_contained
from fathom.passes.affine.domains import (
    add_bound,
    add_loop,
    align,
    for_of,
    loops_around,
    nesting_depth,
)
from fathom.passes.affine.effort import OF_DEPENDENCE, count_steps
from fathom.passes.affine.elimination import project_out
from fathom.passes.affine.parallelism import is_parallel, reductions
from fathom.passes.affine.system import System
from fathom.passes.affine.trip_counts import constant_trip_count
from fathom.records import field, record
from fathom.rewriting.folding import integer_constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Block, Operation, Value
    from fathom.passes.affine.boxes import Bound

BARRIER = "slice_fusion_barrier"
"""The attribute by which a loop says that it is not sliced, nor what is in it."""


@record(frozen=False, eq=False)
class Slice:
    """Bounds for the loops of `variables`, each over `operands`; None where a loop runs as it is. The slice stands in
    `block`, at its beginning or, if `at_end`, before its end."""

    variables: list[Value] = field(default_factory=list["Value"])
    bounds: list[tuple[Bound, Bound]] = field(default_factory=list["tuple[Bound, Bound]"])
    operands: list[Value] = field(default_factory=list["Value"])
    block: Block | None = None
    at_end: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.variables

    # ---- as systems

    def source(self) -> System | None:
        """The iterations that the loops have before they are sliced."""
        system = System(self.variables)
        return system if _add_loops(system, self.variables) else None

    def system(self) -> System | None:
        """The iterations of the slice, over the variables of its loops, and the operands as symbols."""
        system = System(self.variables, self.operands)
        for value in self.operands:
            if is_symbol(value):
                number = integer_constant(value)
                if number is not None:
                    system.add_value(system.column_of(value), number)
            elif (loop := for_of(value)) is not None and not add_loop(system, loop):
                return None
        return system if add_slice(system, self) else None

    # ---- what is known of them

    def _is_maximal_by_bounds(self) -> bool | None:
        """Whether each loop runs once for each iteration of another one with the same bounds; None where it is not so
        simple."""
        for value, (lower, upper) in zip(self.variables, self.bounds, strict=True):
            place = _single_dim(lower, upper)
            other = for_of(self.operands[place]) if place is not None else None
            loop = for_of(value)
            if other is None or loop is None:
                return None
            ends = [constant_bound(bound) for bound in (loop.lowerBoundMap, loop.upperBoundMap)]
            theirs = [constant_bound(bound) for bound in (other.lowerBoundMap, other.upperBoundMap)]
            if None in (*ends, *theirs):
                return None
            if ends != theirs or loop.step != other.step:
                return False
        return True

    def is_valid(self) -> bool | None:
        """Whether the slice has no iteration that the loops do not have; None where nothing tells."""
        if self._is_maximal_by_bounds():
            return True
        source = self.source()
        if source is None or source.symbols or source.locals:
            return None
        system = self.system()
        if system is None:
            return None
        count = len(self.variables)
        project_out(system, count, system.variables - count)
        if len(system.dims) != len(source.dims):
            return None
        return is_contained(system, source)

    def is_maximal(self) -> bool | None:
        """Whether all slices together have all iterations of the loops; None where nothing tells."""
        is_whole = self._is_maximal_by_bounds()
        if is_whole is not None:
            return is_whole
        source = self.source()
        if source is None:
            return None
        consumers: list[Value | None] = [value for value in self.operands if for_of(value) is not None]
        consumers += [None] * (len(self.variables) - len(consumers))
        system = System(consumers)
        if not self._add_domain(system) or len(source.dims) != len(system.dims):
            return None
        if not are_same_values(source.symbols, system.symbols):
            return None
        return is_contained(source, system)

    def _add_domain(self, system: System) -> bool:
        for place, (lower, upper) in enumerate(self.bounds):
            if _is_single_map(lower, upper):
                at = _single_dim(lower, upper)
                loop = for_of(self.operands[at]) if at is not None else None
                if loop is None or not add_loop(system, loop):
                    return False
                continue
            if lower is not None and not add_bound(system, place, lower, self.operands, "lower"):
                return False
            if upper is not None and not add_bound(system, place, upper, self.operands, "upper"):
                return False
        return True

    def trips(self) -> dict[Operation, int] | None:
        """How often each loop of the slice runs; None where that is no number."""
        counts: dict[Operation, int] = {}
        for value, (lower, upper) in zip(self.variables, self.bounds, strict=True):
            loop = for_of(value)
            assert loop is not None, "slices are of the variables of loops"
            count: int | None
            if lower is None or upper is None or not lower.results or not upper.results:
                low, high = constant_bound(loop.lowerBoundMap), constant_bound(loop.upperBoundMap)
                count = high - low if low is not None and high is not None else constant_trip_count(loop)
            else:
                count = _distance(lower, upper)
            if count is None:
                return None
            counts[loop] = count
        return counts

    def iterations(self) -> int | None:
        """How many iterations the slice has, if that is a number."""
        trips = self.trips()
        if trips is None:
            return None
        total = 1
        for count in trips.values():
            total *= count
        return total


def _distance(lower: AffineMap, upper: AffineMap) -> int | None:
    difference = add(upper.results[0], negate(lower.results[0]))
    expression = simplify(difference, lower.dims, lower.symbols)
    return expression.value if isinstance(expression, AffineConstant) else None


def _is_single(lower: Bound, upper: Bound) -> bool:
    """Whether bounds are of one iteration."""
    if lower is None or upper is None or len(lower.results) != 1 or len(upper.results) != 1:
        return False
    return add(lower.results[0], AffineConstant(1)) == upper.results[0]


def _is_single_map(lower: Bound, upper: Bound) -> bool:
    """Whether bounds are of one iteration, and not a number."""
    return lower is not None and _is_single(lower, upper) and not isinstance(lower.results[0], AffineConstant)


def _single_dim(lower: Bound, upper: Bound) -> int | None:
    """The dimension that the only iteration is, if it is one."""
    if lower is None or not _is_single(lower, upper):
        return None
    first = lower.results[0]
    return first.position if isinstance(first, AffineDim) else None


def _add_loops(system: System, values: Iterable[Value]) -> bool:
    for value in values:
        loop = for_of(value)
        if loop is None or not add_loop(system, loop):
            return False
    return True


def add_slice(system: System, slice: Slice) -> bool:
    """Adds the bounds of a slice for the variables of loops that a system has; False where they are not affine."""
    for value, (lower, upper) in zip(slice.variables, slice.bounds, strict=True):
        column = system.find(value)
        if column is None:
            continue
        if lower is not None and _is_single(lower, upper):
            if not add_bound(system, column, lower, slice.operands, "equal"):
                return False
        elif lower is not None and lower.results and upper is not None and upper.results:
            if not add_bound(system, column, lower, slice.operands, "lower"):
                return False
            if not add_bound(system, column, upper, slice.operands, "upper"):
                return False
        elif not _add_loops(system, (value,)):
            return False
    return True


# ---- slices by dependences


def slice_of(first: Operation, second: Operation, common: System, depth: int, *, is_backward: bool) -> Slice:
    """The slice of the loops around the first of two accesses in terms of the outer loops, up to a depth, around the
    second, which depends on it; or, if it is not backward, the other way round."""
    count_steps(OF_DEPENDENCE)
    sources, targets = loops_around(first), loops_around(second)
    system = common.copy()
    if is_backward:
        project_out(system, len(sources) + depth, len(targets) - depth)
        start, loops = 0, sources
    else:
        project_out(system, depth, len(sources) - depth)
        start, loops = depth, targets
    count = len(loops)
    values = [value for value in system.dims[start : start + count] if value is not None]
    bounds = slice_bounds(system, start, count)
    operands = [value for place, value in enumerate(system.values) if not start <= place < start + count]
    made = Slice(values, bounds, [value for value in operands if value is not None])
    around = (targets if is_backward else sources)[depth - 1]
    made.block, made.at_end = around.region.entry, not is_backward
    _clear_sequential(made, loops, depth, are_reads=isinstance(first, READS) and isinstance(second, READS))
    return made


def _clear_sequential(slice: Slice, loops: Sequence[ForOp], depth: int, *, are_reads: bool) -> None:
    """A loop that must run in its order runs as it is, where only reads are concerned, and so do those in it."""
    sequential: set[Operation] = set()
    if are_reads:
        sequential = {op for op in loops[0].walk() if isinstance(op, ForOp) and not is_parallel(op)}
    for place, loop in enumerate(loops):
        if loop not in sequential and loop.attribute(BARRIER) is None:
            continue
        is_whole = slice.is_maximal()
        if contains_reduction(loop) and depth >= len(loops) and slice.iterations() == 1 and is_whole:
            continue
        for other in range(place, len(loops)):
            slice.bounds[other] = None, None
        break


def contains_reduction(loop: ForOp) -> bool:
    """Whether a loop is parallel but for the reductions in it, of which there is one."""
    return is_parallel(loop, but_reductions=True) and bool(reductions(loop))


# ---- unions of slices


class Verdict(Enum):
    """Whether a slice was found, and is right."""

    FOUND = "found"
    WRONG = "wrong"
    FAILED = "failed"


def union_of_slices(
    firsts: Sequence[Access], seconds: Sequence[Access], depth: int, common: int, *, is_backward: bool
) -> tuple[Verdict, Slice]:
    """The slice that all dependences between accesses of two nests need, at a depth; `common` is how many loops the
    nests have in common."""
    nothing = Verdict.FAILED, Slice()
    union: System | None = None
    targets: list[Operation] = []
    for first in firsts:
        for second in seconds:
            if first.memref is not second.memref:
                continue
            if depth > nesting_depth((second if is_backward else first).op):
                return nothing
            are_reads = not first.is_write and not second.is_write
            dependent = dependence(first, second, common + 1, reads_too=are_reads)
            if dependent.outcome is Outcome.UNKNOWN:
                return nothing
            if dependent.system is None:
                continue
            if len(dependent.system.dims) != len(loops_around(first.op)) + len(loops_around(second.op)):
                # Other loops than `affine.for` are around.
                return nothing
            targets.append(second.op if is_backward else first.op)
            system = slice_of(first.op, second.op, dependent.system, depth, is_backward=is_backward).system()
            if system is None:
                return nothing
            if union is None:
                union = system
            elif not _join(union, system):
                return nothing
    if union is None or not union.named:
        return nothing
    around = common_nest(targets)
    if depth > len(around):
        return nothing
    return _finished(union, around[depth - 1], is_backward=is_backward)


def _join(union: System, other: System) -> bool:
    if not are_aligned(union, other):
        before = {*union.dims}, {*other.dims}
        align(union, other)
        for system, known in zip((union, other), before, strict=True):
            if not _add_loops(system, [v for v in system.dims if v is not None and v not in known]):
                return False
    return not union.locals and not other.locals and enlarge(union, other)


def _finished(union: System, around: ForOp, *, is_backward: bool) -> tuple[Verdict, Slice]:
    count = len(union.dims)
    for value in [value for value in union.symbols if for_of(value) is not None]:
        assert value is not None, "only values are variables of loops"
        column = union.column_of(value)
        if column >= len(union.dims):
            union.swap(column, len(union.dims))
            union.separate(len(union.dims) + 1)
    values = [value for value in union.dims[:count] if value is not None]
    bounds = slice_bounds(union, 0, count)
    made = Slice(values, bounds, [value for value in union.values[count:] if value is not None])
    made.block, made.at_end = around.region.entry, not is_backward
    valid = made.is_valid()
    if valid is None:
        return Verdict.FAILED, made
    return (Verdict.FOUND if valid else Verdict.WRONG), made


def common_nest(ops: Sequence[Operation]) -> list[ForOp]:
    """The `affine.for` that are around all operations, from the outside in."""
    nests = [loops_around(op) for op in ops]
    nest: list[ForOp] = []
    for level in zip(*nests, strict=False):
        if any(loop is not level[0] for loop in level):
            break
        nest.append(level[0])
    return nest
