"""Outer affine loops unrolled, and the copies of inner loops jammed into one.

    affine.for %i = 0 to 10 { affine.for %j = 0 to %n { "use"(%i, %j) } }
->
    affine.for %i = 0 to 10 step 2 { affine.for %j = 0 to %n { "use"(%i, %j)  %0 = … (d0 + 1)(%i)  "use"(%0, %j) } }

What an inner loop carries it carries once for each copy. What the outer one carries is joined behind it, if it is a
reduction; one that is none stays as it is: MLIR would lose what the copies yield. As in MLIR each copy begins with the
initial value, which so is joined several times: that is said where it may change the result.

Source of the rules: `LoopUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.dialects.affine.loop_folds import bound_operands
from fathom.ir.operation import Region, types_of
from fathom.irdl.build import segment_sizes
from fathom.ops.affine import ForOp
from fathom.passes.affine.parallelism import reductions
from fathom.passes.affine.promotion import promote_single_iteration
from fathom.passes.affine.trip_counts import constant_trip_count, trip_count_divisor
from fathom.passes.affine.unrolling import make_rest, set_step, shifted_index, why_not
from fathom.passes.arithmetic import binary
from fathom.passes.reductions import JOINED_BY, neutral
from fathom.rewriting.folding import constant_value
from fathom.rewriting.loop_invariants import is_inside
from fathom.rewriting.observers import explaining

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.passes.affine.parallelism import Reduction
    from fathom.rewriting.rewriter import Rewriter

_COUNTING: Final = frozenset({"addf", "addi", "mulf", "muli", "xori"})
"""Ways of joining in which it matters how often a value is joined."""


def unroll_and_jam_first(body: Region, factor: int, rewriter: Rewriter) -> list[Diagnostic]:
    """Does so with the loop with which a body begins, if it does; what is to be said of it."""
    first = body.entry.first if not body.is_empty else None
    if (watch := explaining()) is not None and first is not None:
        for inner in body.walk():
            if isinstance(inner, ForOp) and inner is not first:
                watch.left(inner, "unroll and jam", "it is not what the function begins with")
    return unroll_and_jam(first, factor, rewriter) if isinstance(first, ForOp) else []


def unroll_and_jam(loop: ForOp, factor: int, rewriter: Rewriter) -> list[Diagnostic]:
    """Unrolls a loop by a factor, and jams the loops in it, if none of their bounds changes in the loop; what is to be
    said of it."""
    count = constant_trip_count(loop)
    if factor <= 1:
        promote_single_iteration(loop, rewriter)
        return []
    joined = reductions(loop)
    has_rest = trip_count_divisor(loop) % factor != 0
    if (reason := _why_not(loop, factor, count, joined, has_rest)) is not None:
        if (watch := explaining()) is not None:
            watch.left(loop, "unroll and jam", reason)
        return []
    runs: list[list[Operation]] = []
    carrying: list[ForOp] = []
    _gather(loop, runs, carrying)
    if has_rest:
        make_rest(loop, factor, rewriter)
    said = _repeated(loop, joined, factor)
    _Jamming(loop, factor, runs, carrying, rewriter).jam(joined)
    return said


def _why_not(loop: ForOp, factor: int, count: int | None, joined: Sequence[Reduction], has_rest: bool) -> str | None:
    """Why a loop that runs `count` times, if that is known, stays as it is; None where it does not."""
    if loop.region.entry.first is loop.region.entry.last:
        return "there is nothing in it"
    if count is not None and count < factor:
        return f"it runs {count} times, and the factor is {factor}"
    if not _is_joined(loop, joined):
        return "what it carries from one iteration to the next is no reduction by one operation"
    if not _has_fixed_bounds(loop):
        return "the bounds of a loop in it change in it"
    return why_not(loop, factor, has_rest)


def _repeated(loop: ForOp, joined: Sequence[Reduction], factor: int) -> list[Diagnostic]:
    """A warning where an initial value is joined more than once, and may be one that changes what it is joined with.
    The least or greatest of several values is the same however often one of them is looked at."""
    if all(
        reduction.kind not in _COUNTING
        or constant_value(initial := loop.inits[reduction.place]) == neutral(reduction.kind, initial.type)
        for reduction in joined
    ):
        return []
    message = f"'affine.for' op begins each of {factor} copies with its initial value, which is joined as often"
    return [Diagnostic(message, loop.span, "warning", PIPELINE, op=loop)]


def _is_joined(loop: ForOp, joined: Sequence[Reduction]) -> bool:
    """Whether all that a loop carries is a reduction, or stays what it is."""
    body = loop.region.entry
    places = {reduction.place for reduction in joined}
    pairs = zip(body.end.operands, body.arguments[1:], strict=True)
    return all(place in places or value is argument for place, (value, argument) in enumerate(pairs))


def _has_fixed_bounds(loop: ForOp) -> bool:
    """Whether the bounds of all loops in one come from outside of it."""
    return not any(
        is_inside(value, loop)
        for inner in loop.walk()
        if isinstance(inner, ForOp)
        for values in bound_operands(inner)
        for value in values
    )


def _gather(loop: ForOp, runs: list[list[Operation]], carrying: list[ForOp]) -> None:
    """The operations that stand between loops, run by run; and the loops that carry values, the inner ones first."""
    run: list[Operation] = []
    for op in list(loop.region.entry)[:-1]:
        if not isinstance(op, ForOp):
            run.append(op)
            continue
        if run:
            runs.append(run)
            run = []
        _gather(op, runs, carrying)
    if run:
        runs.append(run)
    if loop.inits:
        carrying.append(loop)


class _Jamming:
    """The copies of a loop's body: for each the values that stand in it for those of the first."""

    def __init__(
        self,
        loop: ForOp,
        factor: int,
        runs: Sequence[Sequence[Operation]],
        carrying: Sequence[ForOp],
        rewriter: Rewriter,
    ) -> None:
        self.factor = factor
        self.runs = runs
        self.rewriter = rewriter
        self.values: list[dict[Value, Value]] = [{} for _ in range(factor)]
        carries = bool(loop.inits)
        self.widened = [self._widened(op) for op in carrying]
        self.loop = self.widened[-1] if carries else loop

    def jam(self, joined: Sequence[Reduction]) -> None:
        loop, rewriter = self.loop, self.rewriter
        step = loop.step.value
        set_step(loop, step * self.factor)
        index = loop.region.entry.arguments[0]
        for copy in range(self.factor - 1, 0, -1):
            values = self.values[copy]
            for run in self.runs:
                rewriter.set_insertion_behind(run[-1])
                if index.uses:
                    values[index] = shifted_index(loop, copy * step, rewriter)
                for op in run:
                    rewriter.clone(op, values)
            for op in self.widened:
                self._connect(op, copy)
        self._join(joined)
        promote_single_iteration(loop, rewriter)

    def _widened(self, loop: ForOp) -> ForOp:
        """The loop anew, which carries its values once for each copy."""
        rewriter, others = self.rewriter, self.factor - 1
        body, inits, yielded = loop.region.entry, loop.inits, loop.region.entry.end.operands
        region = Region()
        region.take_blocks(loop.region)
        rewriter.set_insertion_before(loop)
        rewriter.stand_in(loop)
        rewriter.add_arguments(body, types_of(inits) * others)
        body.end.set_operands(yielded * (others + 1))
        lower, upper = bound_operands(loop)
        sizes = segment_sizes(len(lower), len(upper), len(inits) * self.factor)
        made = rewriter.create(
            "affine.for",
            [*lower, *upper, *inits * self.factor],
            types_of(inits) * self.factor,
            {**loop.properties, "operandSegmentSizes": sizes},
            regions=[region],
        )
        assert isinstance(made, ForOp), "it is a loop"
        body.arguments[0].span, body.arguments[0].location = loop.span, loop.location
        count = len(inits)
        for old, new in zip(loop.results, made.results, strict=False):
            rewriter.replace_all_uses(old, new)
        rewriter.erase(loop)
        for copy in range(1, self.factor):
            for groups in (body.arguments[1:], made.results):
                self.values[copy].update(zip(groups[:count], groups[copy * count :], strict=False))
        return made

    def _connect(self, loop: ForOp, copy: int) -> None:
        """Has what a loop carries for a copy begin and go on with the values of the copy."""
        values, end = self.values[copy], loop.region.entry.end
        first, count = len(loop.operands) - len(loop.inits), len(loop.inits) // self.factor
        given, yielded = [*loop.operands], [*end.operands]
        for place in range(count):
            given[first + copy * count + place] = values.get(given[first + place], given[first + place])
            yielded[copy * count + place] = values.get(yielded[place], yielded[place])
        loop.set_operands(given)
        end.set_operands(yielded)

    def _join(self, joined: Sequence[Reduction]) -> None:
        """One value of those that the copies have reduced to."""
        loop, rewriter = self.loop, self.rewriter
        count = len(loop.results) // self.factor
        rewriter.set_insertion_behind(loop)
        rewriter.stand_in(loop)
        for reduction in joined:
            first: Value = loop.results[reduction.place]
            users = list(first.uses)
            total = first
            for copy in range(self.factor - 1, 0, -1):
                other = loop.results[copy * count + reduction.place]
                total = binary(rewriter, JOINED_BY[reduction.kind], total, other)
            for user in users:
                rewriter.use_instead(user, first, total)
