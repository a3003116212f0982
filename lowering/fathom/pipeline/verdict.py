"""What a lowering came to: the one answer that the command line, the library and the editor give.

Its findings are of two kinds (`diagnostics.is_failure`). A *failure* is a mistake: what a pass made is not valid, or a
pass objects to the program; it is an error, in the words and at the place that the command line has for it. A
*leftover* is what the pipeline cannot do with a program in which nothing is wrong: an operation that no pass converts.
After either there is nothing to be shown as a result, run, or put in the place of the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import LEFTOVERS, Diagnostic, is_failure
from fathom.ir.values import place_of
from fathom.passes.leftovers import left_behind, left_of, waits_for_memory, without_memory
from fathom.passes.leftovers.failures import certain_cause, explained
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation
    from fathom.passes.leftovers.history import History
    from fathom.passes.leftovers.removers import Step
    from fathom.pipeline.repair import Trials
    from fathom.pipeline.stages import PipelineResult


@record
class Verdict:
    """What is wrong with a lowering that was to reach the LLVM dialect. `remarks` are what its passes said besides."""

    failures: tuple[Diagnostic, ...] = ()
    leftovers: tuple[Diagnostic, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What stands in the way of a result, failures first; nothing if the lowering is sound."""
        return (*self.failures, *self.leftovers)


def verdict(
    module: Operation,
    result: PipelineResult,
    history: Callable[[], History],
    trials: Callable[[], Trials] | None = None,
) -> Verdict:
    """What `result`, a run of a pipeline that was to reach the LLVM dialect, came to on `module`. `history` finds out
    what is known of the run, and `trials` tries other pipelines; they are asked where that is of use. Without the
    latter, no change of the pipeline is advised."""
    failures = tuple(each for each in result.diagnostics if is_failure(each))
    others = [each for each in result.diagnostics if not is_failure(each)]
    if result.failed:
        if any(waits_for_memory(each) for each in result.diagnostics):
            failures = tuple(each for each in failures if not waits_for_memory(each))
            return Verdict(failures, tuple(without_memory(module, history())))
        return Verdict(failures, tuple(_by_place(_explained(others, result, history(), trials))))
    if next(left_of(module), None) is None:
        return Verdict(failures, (), tuple(others))

    def helps(steps: Sequence[Step]) -> bool:
        return trials is not None and trials().helps(steps)

    left = left_behind(module, history(), result.diagnostics, helps)
    if not left:
        return Verdict(failures, (), tuple(others))
    return Verdict(failures, tuple(left), tuple(each for each in others if each.code not in LEFTOVERS))


def _explained(
    found: list[Diagnostic], result: PipelineResult, history: History, trials: Callable[[], Trials] | None
) -> list[Diagnostic]:
    """What was said by the time when a pass failed, with its causes."""
    failed = result.stages[-1].use if result.stages else None
    index = next((number for number, use in enumerate(history.passes) if use is failed), len(history.passes))
    found = [replace(each, left=each.op.name) if each.op is not None else each for each in found]
    if trials is not None:
        return [explained(each, trials().cause_of(each, index)) for each in found]
    known = ((each, certain_cause(each, index, history)) for each in found)
    return [explained(each, replace(cause, remedy="") if cause is not None else None) for each, cause in known]


def _by_place(found: list[Diagnostic]) -> list[Diagnostic]:
    """The first of each place."""
    return list({place_of(each.span): each for each in reversed(found)}.values())[::-1]
