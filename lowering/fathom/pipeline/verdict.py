"""What a lowering came to: the one answer that the command line, the library and the editor give.

Its findings are of two kinds (`diagnostics.is_failure`). A *failure* is a mistake: what a pass made is not valid, or a
pass objects to the program; it is an error, in the words and at the place that the command line has for it. A
*leftover* is what the pipeline cannot do with a program in which nothing is wrong: an operation that no pass converts.
After either there is nothing to be shown as a result, run, or put in the place of the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.diagnostics import LEFTOVERS, Diagnostic, is_failure
from fathom.ir.values import place_of
from fathom.passes.leftovers import left_behind, left_of
from fathom.passes.leftovers.failures import certain_cause, explained
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.ir.operation import Operation
    from fathom.passes.leftovers.causes import Cause
    from fathom.passes.leftovers.history import History
    from fathom.pipeline.stages import PipelineResult

    CauseOf: TypeAlias = Callable[[Diagnostic, int], Cause | None]
    """The cause of an error of the pass at an index, if that is known."""


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
    cause_of: CauseOf | None = None,
) -> Verdict:
    """What `result`, a run of a pipeline that was to reach the LLVM dialect, came to on `module`. `history` finds out
    what is known of the run, and `cause_of` why a pass failed; they are asked where that is of use."""
    failures = tuple(each for each in result.diagnostics if is_failure(each))
    others = [each for each in result.diagnostics if not is_failure(each)]
    if result.failed:
        return Verdict(failures, tuple(_by_place(_explained(others, result, history(), cause_of))))
    if next(left_of(module), None) is None:
        return Verdict(failures, (), tuple(others))
    left = left_behind(module, history(), result.diagnostics)
    if not left:
        return Verdict(failures, (), tuple(others))
    return Verdict(failures, tuple(left), tuple(each for each in others if each.code not in LEFTOVERS))


def _explained(
    found: list[Diagnostic], result: PipelineResult, history: History, cause_of: CauseOf | None
) -> list[Diagnostic]:
    """What was said by the time when a pass failed, with its causes."""
    failed = result.stages[-1].use if result.stages else None
    index = next((number for number, use in enumerate(history.passes) if use is failed), len(history.passes))
    if cause_of is not None:
        return [explained(each, cause_of(each, index)) for each in found]
    return [explained(each, certain_cause(each, index, history)) for each in found]


def _by_place(found: list[Diagnostic]) -> list[Diagnostic]:
    """The first of each place."""
    return list({place_of(each.span): each for each in reversed(found)}.values())[::-1]
