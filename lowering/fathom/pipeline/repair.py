"""The pipeline that lowers what another leaves behind: with the passes that are missing, in their places, and those
that run too early behind what makes work for them.

Each change is one that a cause asks for (`passes/leftovers/causes.py`); then the module is lowered again, from its
source, to see what is left. What is advised has been tried, and left less behind. There is a bound to that work: it is
done on a part of the module (`reduction.py`), and where all that is left stands in longer functions, not at all.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from fathom.cached import cached_property
from fathom.ir.clone import clone
from fathom.passes.foreign import PassOfMLIR
from fathom.passes.left import left_of
from fathom.passes.leftovers import History, causes, not_bufferized
from fathom.passes.leftovers.failures import causes_of_failure, certain_cause
from fathom.pipeline.editing import changed
from fathom.pipeline.reduction import reduced, size_of
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Span
    from fathom.passes.leftovers.causes import Cause
    from fathom.passes.leftovers.removers import Step
    from fathom.pipeline.language import Pipeline
    from fathom.pipeline.lowering import Lowering, Source

MOST: Final = 16
"""So many changes are made one after the other."""
MOST_OPERATIONS: Final = 400
"""A module in which pipelines are tried has no more operations than this."""
MOST_LOWERED: Final = 4_000
"""So many operations are lowered at most until the search is given up: in a module of 400 ten times."""


@record
class Trial:
    """What went wrong when a module was lowered by a pipeline, by code and place, and how much was left; None if the
    pipeline failed, with the error and the index of the pass. `steps` are the changes of the pipeline that what is left
    asks for."""

    errors: frozenset[tuple[str, Span | None]]
    left: int | None
    steps: tuple[Step, ...] = ()
    failure: tuple[Diagnostic, int] | None = None


class Trials:
    """Other pipelines for a module, which is lowered anew for each by `lower`, and not changed itself. `left` are the
    places of what the pipeline left of it, where that is known. Neither is asked for before anything is tried, nor of a
    source of so many `functions` that nothing is."""

    def __init__(
        self,
        pipeline: Pipeline,
        source: Source,
        lower: Callable[[Pipeline, Operation], Lowering],
        left: Callable[[], Iterable[Span]] = tuple,
        functions: int = 0,
    ) -> None:
        self._pipeline = pipeline
        self._source, self._lower, self._left = source, lower, left
        self._functions = functions
        self._rest = MOST_LOWERED
        self._made: dict[str, Trial | None] = {}
        self._accepted: set[tuple[str, bool, bool]] = set()
        self._helps: dict[tuple[Step, ...], bool] = {}

    @cached_property
    def _module(self) -> Operation | None:
        """The part of the source that is lowered."""
        if self._functions >= MOST_OPERATIONS:
            return None  # Their declarations alone are that many.
        return reduced(self._source(), self._left(), MOST_OPERATIONS)

    @cached_property
    def _size(self) -> int:
        return size_of(self._module, MOST_OPERATIONS) if self._module is not None else 0

    @property
    def were_given_up(self) -> bool:
        """Whether there was more to be tried than is."""
        return self._module is None or self._rest < self._size

    def helps(self, steps: Sequence[Step]) -> bool:
        """Whether changes of the pipeline leave less behind: by themselves, or with what else the corrected pipeline
        has. Thousands of operations may ask for the same."""
        asked = tuple(steps)
        if asked not in self._helps:
            self._helps[asked] = self._leaves_less(self._pipeline, changed(self._pipeline, asked)) or (
                self.corrected is not None and all(_kind(step) in self._accepted for step in asked)
            )
        return self._helps[asked]

    def cause_of(self, diagnostic: Diagnostic, index: int) -> Cause | None:
        """The cause of an error of the pass at an index: of those whose change has the error gone, the one that leaves
        least. One that is certain comes without a remedy if that does not help."""
        return self._cause_of(self._pipeline, diagnostic, index)

    def _cause_of(self, pipeline: Pipeline, diagnostic: Diagnostic, index: int) -> Cause | None:
        history = _history(pipeline)
        helpful: list[tuple[int, Cause]] = []
        for cause in causes_of_failure(diagnostic, index, history):
            after = changed(pipeline, cause.steps)
            trial = self._try(after) if after is not None else None
            if trial is not None and (diagnostic.code, diagnostic.span) not in trial.errors:
                helpful.append((trial.left if trial.left is not None else sys.maxsize, cause))
        if helpful:
            return min(helpful, key=lambda entry: entry[0])[1]
        known = certain_cause(diagnostic, index, history)
        return replace(known, remedy="", steps=()) if known is not None else None

    @cached_property
    def corrected(self) -> Pipeline | None:
        """The corrected pipeline; None where no change of passes would help, or none was found. Of one with passes that
        Fathom does not have nobody here knows what it leaves behind."""
        present = self._pipeline
        seen = {str(present)}
        for _ in range(MOST):
            steps = self._next_steps(present)
            after = changed(present, steps) if steps else None
            if after is None or str(after) in seen:
                break
            seen.add(str(after))
            present = after
            self._accepted.update(map(_kind, steps))
            if is_foreign(present):
                return present
        return present if self._leaves_less(self._pipeline, present) else None

    def _leaves_less(self, before: Pipeline, after: Pipeline | None) -> bool:
        if after is None or after is before or is_foreign(after):
            return False
        was, now = self._try(before), self._try(after)
        if was is None or now is None or now.left is None:
            return False
        return was.left is None or now.left < was.left

    def _next_steps(self, pipeline: Pipeline) -> tuple[Step, ...]:
        """The changes that one cause asks for: the first of those that ask for most."""
        if is_foreign(pipeline):
            unbuffered = not_bufferized(self._module, _history(pipeline)) if self._module is not None else ()
            return max((cause.steps for _, cause in unbuffered), key=len, default=())
        trial = self._try(pipeline)
        if trial is None or trial.failure is None:
            return trial.steps if trial is not None else ()
        cause = self._cause_of(pipeline, *trial.failure)
        return cause.steps if cause is not None else ()

    def _try(self, pipeline: Pipeline) -> Trial | None:
        """What comes of a pipeline; None where that is not found out."""
        key = str(pipeline)
        if key not in self._made:
            if self._module is None or self._rest < self._size or is_foreign(pipeline):
                return None
            self._rest -= self._size
            self._made[key] = self._run(pipeline, self._module)
        return self._made[key]

    def _run(self, pipeline: Pipeline, module: Operation) -> Trial:
        lowering = self._lower(pipeline, clone(module))
        errors = frozenset(
            (diagnostic.code, diagnostic.span) for diagnostic in lowering.diagnostics if diagnostic.severity == "error"
        )
        if not lowering.failed:
            unbuffered = causes(lowering.module, lowering.history())
            steps = max((cause.steps for _, cause in unbuffered), key=len, default=())
            return Trial(errors, sum(1 for _ in left_of(lowering.module)), steps)
        wrong = next(
            diagnostic for diagnostic in lowering.diagnostics if diagnostic.severity == "error" and diagnostic.fatal
        )
        return Trial(errors, None, failure=(wrong, lowering.last_pass))


def _kind(step: Step) -> tuple[str, bool, bool]:
    """What a change does, wherever in the pipeline that is."""
    return step.name, step.goes, step.out


def _history(pipeline: Pipeline) -> History:
    return History(tuple(pipeline.passes), nests=pipeline.nests)


def is_foreign(pipeline: Pipeline) -> bool:
    """Whether it has passes that are not here."""
    return any(isinstance(pass_, PassOfMLIR) for pass_ in pipeline.passes)
