"""The pipeline that lowers what another leaves behind: with the passes that are missing, in their places, and those
that run too early behind what makes work for them.

Each change is one that a cause asks for (`passes/leftovers/causes.py`); then the module is lowered again, from its
source, to see what is left.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from fathom.ir.clone import clone
from fathom.passes.foreign import PassOfMLIR
from fathom.passes.leftovers import History, causes, not_bufferized
from fathom.passes.leftovers.failures import causes_of_failure, certain_cause
from fathom.pipeline.editing import changed
from fathom.pipeline.stages import run
from fathom.pipeline.tracing import Tracing
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Span
    from fathom.passes.leftovers.causes import Cause
    from fathom.passes.leftovers.removers import Step
    from fathom.pipeline.language import Pipeline

MOST: Final = 16
"""So many changes are tried."""


@record
class Trial:
    """What went wrong when a module was lowered by another pipeline, by code and place, and how much was left; None if
    the pipeline failed."""

    errors: frozenset[tuple[str, Span | None]]
    left: int | None


class Trials:
    """Changes of a pipeline that failed for a module, which is lowered anew for each, and not changed itself."""

    def __init__(self, pipeline: Pipeline, module: Operation, context: Context) -> None:
        self._pipeline, self._module, self._context = pipeline, module, context
        self._history = History(tuple(pipeline.passes), nests=pipeline.nests)
        self._made: dict[tuple[Step, ...], Trial | None] = {}

    def cause_of(self, found: Diagnostic, index: int) -> Cause | None:
        """The cause of an error of the pass at an index: of those whose change has the error gone, the one that leaves
        least."""
        known = certain_cause(found, index, self._history)
        if known is not None:
            return known
        helpful: list[tuple[int, Cause]] = []
        for cause in causes_of_failure(found, index, self._history):
            trial = self._trial(cause.steps)
            if trial is not None and (found.code, found.span) not in trial.errors:
                helpful.append((trial.left if trial.left is not None else sys.maxsize, cause))
        return min(helpful, key=lambda each: each[0])[1] if helpful else None

    def _trial(self, steps: tuple[Step, ...]) -> Trial | None:
        if steps not in self._made:
            self._made[steps] = self._run(steps)
        return self._made[steps]

    def _run(self, steps: tuple[Step, ...]) -> Trial | None:
        after = changed(self._pipeline, steps)
        if after is None or any(isinstance(each, PassOfMLIR) for each in after.passes):
            return None
        work = clone(self._module)
        result = run(after, work, self._context)
        errors = frozenset((each.code, each.span) for each in result.diagnostics if each.severity == "error")
        left = None if result.failed else sum(1 for _ in causes(work, History(tuple(after.passes), nests=after.nests)))
        return Trial(errors, left)


def corrected(pipeline: Pipeline, module: Operation, context: Context) -> Pipeline | None:
    """The corrected pipeline for a module, which is not changed; None where no change of passes would help."""
    present = pipeline
    seen = {str(pipeline)}
    for _ in range(MOST):
        steps = _next_steps(present, module, context)
        after = changed(present, steps) if steps else None
        if after is None or str(after) in seen:
            break
        seen.add(str(after))
        present = after
        if any(isinstance(each, PassOfMLIR) for each in present.passes):
            break  # What comes of it, mlir-opt knows.
    return present if present is not pipeline else None


def _next_steps(pipeline: Pipeline, module: Operation, context: Context) -> tuple[Step, ...]:
    """The changes that one cause asks for: the first of those that ask for most."""
    if any(isinstance(each, PassOfMLIR) for each in pipeline.passes):
        found = not_bufferized(module, History(tuple(pipeline.passes), nests=pipeline.nests))
        return max((cause.steps for _, cause in found), key=len, default=())
    work = clone(module)
    tracing = Tracing(pipeline, work)
    result = run(pipeline, work, context, instrumentation=[tracing])
    if result.failed:
        wrong = next(each for each in result.diagnostics if each.severity == "error" and each.fatal)
        cause = Trials(pipeline, module, context).cause_of(wrong, tracing.index)
        return cause.steps if cause is not None else ()
    return max((cause.steps for _, cause in causes(work, tracing.history)), key=len, default=())
