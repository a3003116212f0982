"""The pipeline that lowers what another leaves behind: with the passes that are missing, in their places, and those
that run too early behind what makes work for them.

Each change is one that a cause asks for (`passes/leftovers/causes.py`); then the module is lowered again, from its
source, to see what is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.clone import clone
from fathom.passes.foreign import PassOfMLIR
from fathom.passes.leftovers import History, causes, not_bufferized
from fathom.passes.leftovers.failures import cause_of_failure
from fathom.pipeline.editing import changed
from fathom.pipeline.stages import run
from fathom.pipeline.tracing import Tracing

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.passes.leftovers.removers import Step
    from fathom.pipeline.language import Pipeline

MOST: Final = 16
"""So many changes are tried."""


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
        found = not_bufferized(module, History(tuple(pipeline.passes)))
        return max((cause.steps for _, cause in found), key=len, default=())
    work = clone(module)
    tracing = Tracing(pipeline, work)
    result = run(pipeline, work, context, instrumentation=[tracing])
    if result.failed:
        wrong = next(each for each in result.diagnostics if each.severity == "error" and each.fatal)
        cause = cause_of_failure(wrong, tracing.index, tracing.history)
        return cause.steps if cause is not None else ()
    return max((cause.steps for _, cause in causes(work, tracing.history)), key=len, default=())
