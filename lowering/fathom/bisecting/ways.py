"""The ways by which it is found out what a function does at a stage, each on a copy of the module as it is there.

An operation that is understood is interpreted (`fathom.interpreting`), which no pass has part in. Where one is not, the
module is lowered the plainest way, by `lower-to-llvm` without folds, and run: what a pass could compute ahead is
computed when the program runs, and LLVM compiles without optimising.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.budget import MOST_ON_COMMAND_LINE
from fathom.execution import Json, Limits, RunRequest, Worker
from fathom.execution.layouts import DATA_LAYOUT
from fathom.ir.clone import clone
from fathom.pipeline.defaults import whole_lowering
from fathom.pipeline.lowering import run
from fathom.pipeline.observer import Observer
from fathom.programs.behaviour import Behaviour, unknown
from fathom.records import record
from fathom.rewriting.observers import Gate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.programs.preparing import Part

LOWERED: Final = "lowered by lower-to-llvm and run"
TRANSLATED: Final = "translated and run"
_NO_ANSWER: Final = (
    "lowering",
    "worker-unavailable",
    "cancelled",
    "missing-symbol",
    "bad-argument",
    "unsupported-signature",
)
"""Failures that say nothing of the function."""


@record(eq=False)
class Call:
    """How the function is called: with what, by which worker, within which limits and with which libraries."""

    arguments: Sequence[Json]
    worker: Worker
    limits: Limits
    libraries: Sequence[str] = ()


def by_lowering(module: Operation, part: Part, call: Call) -> Behaviour:
    """What the function does when the module is lowered the plainest way, and run."""
    is_lowered = all(op.dialect in ("llvm", "builtin") for op in module.walk())
    way = TRANSLATED if is_lowered else LOWERED
    text, why = _llvm_ir(module, part, folds=False)
    if text is None:
        text, why = _llvm_ir(module, part, folds=True)
    if text is None:
        return unknown(why, way)
    types = part.signature.inputs, part.signature.results
    request = RunRequest(text, part.name, *types, call.arguments, 0, call.libraries)
    outcome = call.worker.run(request, call.limits)
    if outcome.failure is not None and outcome.failure.kind in _NO_ANSWER:
        return unknown(outcome.failure.message, way)
    return Behaviour(outcome, way)


class _WithoutFolds(Gate, Observer):
    """Lets everything happen but folds."""

    def __init__(self) -> None:
        super().__init__(folds=False)


def _llvm_ir(module: Operation, part: Part, *, folds: bool) -> tuple[str | None, str]:
    """LLVM IR, or why there is none."""
    context = part.loading.context
    lowering = run(
        whole_lowering(context.find_pass),
        clone(module),
        context,
        observers=[] if folds else [_WithoutFolds()],
        most_operations=MOST_ON_COMMAND_LINE,
    )
    if lowering.failed:
        return None, next(d.message for d in lowering.diagnostics if d.severity == "error" and d.fatal)
    if left := lowering.verdict().findings:
        return None, left[0].message
    made = lowering.translated(machine_layout=DATA_LAYOUT)
    errors = [told.message for told in made.told if told.severity == "error"]
    return made.text, next(iter(errors), "it does not reach the LLVM dialect")
