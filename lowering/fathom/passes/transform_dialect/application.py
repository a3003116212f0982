"""One transform being applied: what its handles stand for, what it gives, and the rewriter that it works with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.cached import cached_property
from fathom.dialects.transform.handles import consumed, implements
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, OpResult, Value
from fathom.ir.traversal import is_inside
from fathom.ir.types import DYNAMIC, INDEX
from fathom.passes.transform_dialect.outcomes import DefiniteFailure, SilenceableFailure, said
from fathom.passes.transform_dialect.tracking import Tracker, TrackingRewriter
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.passes.transform_dialect.models import Apply
    from fathom.passes.transform_dialect.outcomes import Place
    from fathom.passes.transform_dialect.state import Payload, State

    Given: TypeAlias = Payload | Sequence[Payload] | None

REPORTS: Final = "ReportTrackingListenerFailuresOpTrait"


class Application:
    """`results` are what the operation gives for each of its results; for one that is missing, nothing."""

    def __init__(self, op: Operation, state: State) -> None:
        self.op = op
        self.state = state
        self.results: dict[int, list[Payload]] = {}
        self.tracker = Tracker(state, op)

    @property
    def context(self) -> Context:
        return self.state.context

    @cached_property
    def rewriter(self) -> TrackingRewriter:
        """Changes the payload, and keeps handles up to date."""
        return TrackingRewriter(self.context, self.tracker)

    # What it is given.

    def payload(self, handle: Value) -> list[Payload]:
        """What a handle stands for."""
        return list(self.state.objects.get(handle, ()))

    def ops(self, handle: Value) -> list[Operation]:
        return [payload for payload in self.payload(handle) if isinstance(payload, Operation)]

    def values(self, handle: Value) -> list[Value]:
        return [payload for payload in self.payload(handle) if isinstance(payload, Value)]

    def params(self, handle: Value) -> list[Attribute]:
        return [payload for payload in self.payload(handle) if isinstance(payload, Attribute)]

    def numbers(self, static: Sequence[int], dynamic: Sequence[Value], targets: int = 1) -> list[list[int | Value]]:
        """Numbers, of which some are given by handles, for each of so many targets. A parameter stands for one number
        for each target, or for all; an operation for its result."""
        rest = iter(dynamic)
        columns: list[list[int | Value]] = []
        for number in static:
            handle = next(rest) if number == DYNAMIC else None
            sizes: list[int | Value]
            sizes = [number] if handle is None else [self._number(payload, handle) for payload in self.payload(handle)]
            if len(sizes) == 1:
                sizes *= targets
            elif len(sizes) != targets:
                raise self.silenceable_of_sizes(handle, len(sizes), targets)
            columns.append(sizes)
        return [[column[place] for column in columns] for place in range(targets)]

    def silenceable_of_sizes(self, handle: Value | None, sizes: int, targets: int) -> SilenceableFailure:
        place = f"expected as many dynamic sizes handles ({sizes}) as target ops ({targets})"
        return (
            self.silenceable(place).note("for this handle", handle) if handle is not None else self.silenceable(place)
        )

    def _number(self, size: Payload, handle: Value) -> int | Value:
        if isinstance(size, IntegerAttr):
            return size.value
        if isinstance(size, Operation) and len(size.results) == 1 and size.results[0].type == INDEX:
            return size.result
        if isinstance(size, Operation):
            failure = self.silenceable("expected sizes to be produced by ops with a single index-type result")
            raise failure.note("size producer op", size).note("requested in this transform", self.op)
        raise self.definite("expected parameters to be integers")

    # What it gives.

    def set(self, result: OpResult, objects: Iterable[Payload]) -> None:
        """Has a result stand for these."""
        self.results[result.index] = list(objects)

    # How it ends.

    def silenceable(self, message: str, *notes: tuple[str, Place], at: Place = None) -> SilenceableFailure:
        """That it does not apply, to be raised."""
        return SilenceableFailure([said(message, at if at is not None else self.op, *notes)])

    def definite(self, message: str, *notes: tuple[str, Place], at: Place = None) -> DefiniteFailure:
        """That nothing can go on, to be raised."""
        return DefiniteFailure(said(message, at if at is not None else self.op, *notes))

    def error(self, message: str, place: Place, *notes: tuple[str, Place]) -> None:
        """Says what is wrong; how it ends is another thing."""
        diagnostic = said(message, place, *notes)
        self.state.diagnostics.append(replace(diagnostic, op=place if isinstance(place, Operation) else None))

    def remark(self, message: str, place: Place, *notes: tuple[str, Place]) -> None:
        diagnostic = said(message, place, *notes, severity="information")
        self.state.diagnostics.append(replace(diagnostic, op=place if isinstance(place, Operation) else None))

    def refuse_itself(self, target: Operation) -> None:
        """Raises a failure where an operation would rewrite what is interpreted."""
        if is_inside(self.op, target):
            message = "cannot apply transform to itself (or one of its ancestors)"
            raise self.definite(message, ("target payload op", target))

    def with_tracking(self, failure: SilenceableFailure | None) -> SilenceableFailure | None:
        """How it ends, with what was not found for handles."""
        lost = self.tracker.failure
        if lost is None or self.op.attribute("transform.silence_tracking_failures") is not None:
            return failure
        if not implements(self.op, REPORTS):
            return failure
        return failure.note(f"tracking listener also failed: {lost.message}") if failure is not None else lost


def each(*, of: Callable[[Operation], bool] = lambda _: True) -> Callable[[Callable[..., Any]], Apply]:
    """Makes `function(op, target, run)`, which gives an entity for each result, what is applied to all targets, one
    after the other; those `of` which it is not for fail."""

    def decorate(function: Callable[[Any, Any, Application], Given]) -> Apply:
        def apply(op: Operation, run: Application) -> None:
            targets = run.ops(op.operands[0])
            if 0 in consumed(op):
                _refuse_nested(run, targets)
            said_of_all: list[SilenceableFailure] = []
            columns: list[list[Payload]] = [[] for _ in op.results]
            for target in targets:
                try:
                    if not of(target):
                        message = "transform applied to the wrong op kind"
                        raise run.silenceable(message, ("when applied to this op", target))
                    run.rewriter.stand_in(target)
                    run.rewriter.set_insertion_before(target)
                    given = function(op, target, run)
                except SilenceableFailure as failure:
                    said_of_all.append(failure)
                    continue
                objects = given if isinstance(given, Sequence) else [given] if op.results else []
                for column, one in zip(columns, objects, strict=True):
                    if isinstance(one, Sequence):
                        column += one
                    elif one is not None:
                        column.append(one)
            run.results.update(enumerate(columns))
            if said_of_all:
                raise SilenceableFailure([diagnostic for failure in said_of_all for diagnostic in failure.diagnostics])

        apply.__name__ = function.__name__
        return apply

    return decorate


def _refuse_nested(run: Application, targets: Sequence[Operation]) -> None:
    for place, parent in enumerate(targets):
        for child in targets[place + 1 :]:
            if is_inside(child, parent):
                message = "transform operation consumes a handle pointing to an ancestor payload operation before its"
                why = "the ancestor is likely erased or rewritten before the descendant is accessed, leading to"
                raise run.definite(
                    f"{message} descendant",
                    (f"{why} undefined behavior", None),
                    ("ancestor payload op", parent),
                    ("descendant payload op", child),
                )
