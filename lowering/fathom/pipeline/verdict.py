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
from fathom.passes.left import left_of
from fathom.passes.leftovers import left_behind, waits_for_memory, without_memory
from fathom.passes.leftovers.failures import certain_cause, explained
from fathom.records import record, replace

if TYPE_CHECKING:
    from fathom.pipeline.lowering import Lowering, Source
    from fathom.pipeline.repair import Trials


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


def verdict_of(lowering: Lowering, source: Source | None = None) -> Verdict:
    """What a lowering that was to reach the LLVM dialect came to. Who made what, and what other pipelines make of the
    source, is looked into where that is of use; without the source no change of the pipeline is advised."""
    failures = tuple(diagnostic for diagnostic in lowering.diagnostics if is_failure(diagnostic))
    others = [diagnostic for diagnostic in lowering.diagnostics if not is_failure(diagnostic)]
    trials = lowering.trials(source) if source is not None else None
    if lowering.failed:
        if any(waits_for_memory(diagnostic) for diagnostic in lowering.diagnostics):
            failures = tuple(failure for failure in failures if not waits_for_memory(failure))
            return Verdict(failures, tuple(without_memory(lowering.module, lowering.history(source))))
        return Verdict(failures, tuple(_by_place(_explained(others, lowering, trials))))
    if next(left_of(lowering.module), None) is None:
        return Verdict(failures, (), tuple(others))
    helps = trials.helps if trials is not None else None
    left = left_behind(lowering.module, lowering.history(source), lowering.diagnostics, helps)
    if not left:
        return Verdict(failures, (), tuple(others))
    return Verdict(failures, tuple(left), tuple(other for other in others if other.code not in LEFTOVERS))


def _explained(diagnostics: list[Diagnostic], lowering: Lowering, trials: Trials | None) -> list[Diagnostic]:
    """What was said by the time when a pass failed, with its causes."""
    index = lowering.last_pass
    diagnostics = [
        replace(diagnostic, left=diagnostic.op.name) if diagnostic.op is not None else diagnostic
        for diagnostic in diagnostics
    ]
    if trials is not None:
        return [explained(diagnostic, trials.cause_of(diagnostic, index)) for diagnostic in diagnostics]
    known = ((diagnostic, certain_cause(diagnostic, index, lowering.history())) for diagnostic in diagnostics)
    return [
        explained(diagnostic, replace(cause, remedy="") if cause is not None else None) for diagnostic, cause in known
    ]


def _by_place(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """The first of each place."""
    return list({place_of(diagnostic.span): diagnostic for diagnostic in reversed(diagnostics)}.values())[::-1]
