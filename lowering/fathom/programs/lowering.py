"""The LLVM IR of a program: as the pipeline makes it, with checks, or with debug information."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fathom.budget import MOST_ON_COMMAND_LINE
from fathom.diagnostics import LLVM, RUN, Diagnostic, Note
from fathom.execution.layouts import DATA_LAYOUT
from fathom.ir.clone import clone
from fathom.ir.locations import FileLineColLoc
from fathom.ir.values import place_of
from fathom.messages.source import Source
from fathom.pipeline.defaults import is_whole
from fathom.pipeline.lowering import run as run_pipeline
from fathom.programs.functions import names_in
from fathom.records import record, replace
from fathom.translation import objections, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fathom.context import Context
    from fathom.execution import Check
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.ir.operation_printer import Locator
    from fathom.pipeline.language import Pipeline

_LLVM_DIALECT: Final = "llvm"


@record
class Made:
    """LLVM IR, if nothing stood in the way, with the checks in it; and what is to be reported. `names` are those of all
    symbols that there were in the end. `objections` says what LLVM has to say against the text, where it was not asked
    yet."""

    text: str | None
    problems: list[Diagnostic]
    checks: tuple[Check, ...] = ()
    names: frozenset[str] = frozenset()
    objections: Callable[[], list[Diagnostic]] | None = None


def lower_checked(module: Operation, pipeline: Pipeline, source: Source, context: Context) -> Made:
    """LLVM IR with checks; without them, and with a warning, where a pipeline does not lower what they are made of."""
    from fathom.execution.checks import add_checks

    unchecked = clone(module)
    checks = add_checks(module, context)
    lowered = replace(lower(module, pipeline, source, context), checks=checks)
    if lowered.text is not None or not checks:
        return lowered
    again = lower(unchecked, pipeline, source, context)
    if again.text is None:
        return again
    return replace(again, problems=[_not_checked(lowered.problems), *again.problems])


def lower_debugged(module: Operation, pipeline: Pipeline, source: Source, context: Context) -> Made:
    """LLVM IR that says where its instructions come from, and what its variables are; or LLVM IR without, where a
    pipeline does not lower what keeps them."""
    from fathom.execution.variables import add_debug_information

    plain = clone(module)
    file = source.name if source.name.startswith("<") else str(Path(source.name).absolute())
    add_debug_information(module, source.text, _locator(Source(file, source.text)), context)
    lowered = lower(module, pipeline, source, context)
    return lowered if lowered.text is not None else lower(plain, pipeline, source, context)


def _not_checked(problems: list[Diagnostic]) -> Diagnostic:
    why = next((problem for problem in problems if problem.severity == "error"), problems[0])
    message = f"the run is not checked, because the pipeline does not lower the checks: {why.message}"
    return Diagnostic(message, why.span, "warning", RUN)


def lower(module: Operation, pipeline: Pipeline, source: Source, context: Context) -> Made:
    """LLVM IR as a pipeline makes it, about which LLVM was asked."""
    made = lower_to_compile(module, pipeline, source, context)
    objected = made.objections() if made.objections is not None else []
    text = None if any(problem.severity == "error" for problem in objected) else made.text
    return replace(made, text=text, problems=[*made.problems, *objected], objections=None)


def lower_to_compile(module: Operation, pipeline: Pipeline, source: Source, context: Context) -> Made:
    """The same, for who has LLVM compile it, and asks for its `objections` where that fails."""
    return replace(_translated(module, pipeline, source, context), names=names_in(module))


def _translated(module: Operation, pipeline: Pipeline, source: Source, context: Context) -> Made:
    own = {place_of(op.span) for op in module.walk() if op.dialect == _LLVM_DIALECT}
    # The pipeline of its own has all passes that there are.
    given = clone(module) if not is_whole(pipeline) else None
    lowering = run_pipeline(
        pipeline,
        module,
        context,
        verifying="each",
        remembers=True,
        locate=_locator(source),
        most_operations=MOST_ON_COMMAND_LINE,
    )
    verdict = lowering.verdict((lambda: given) if given is not None else None)
    if verdict.findings:
        return Made(None, [*verdict.failures, *verdict.remarks, *verdict.leftovers])
    made = translate(lowering.module, context=context, locate=lowering.locate, machine_layout=DATA_LAYOUT)
    told = made.as_warnings
    problems = [*lowering.diagnostics, *(_refused(diagnostic, own) for diagnostic in told)]
    if any(diagnostic.severity == "error" for diagnostic in told):
        return Made(None, problems)

    def objected() -> list[Diagnostic]:
        return [_refused(diagnostic, own) for diagnostic in objections(made, lowering.module)]

    return Made(made.text, problems, objections=objected)


def _refused(told: Diagnostic, own: Collection[tuple[int, int] | None]) -> Diagnostic:
    """What is told of a translation. What LLVM objects to in operations of the source that are LLVM's own is no mistake
    of the lowering."""
    if told.code != LLVM or place_of(told.span) in own:
        return told
    note = Note("LLVM refused what the lowering made; that is a mistake in Fathom or in a pass pipeline", hint=True)
    return replace(told, notes=(note,))


def _locator(source: Source) -> Locator:
    """Where operations come from."""

    def locate(owner: Operation | BlockArgument) -> Attribute:
        if owner.location is not None:
            return owner.location
        return source.location(owner.span.start) if owner.span is not None else FileLineColLoc(source.name, 0, 0)

    return locate
