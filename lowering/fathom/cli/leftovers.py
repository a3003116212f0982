"""What `fathom opt` says of what a pipeline leaves behind that was to reach the LLVM dialect, and commands of one that
does not nest its passes where they can run. mlir-opt says nothing of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import LEFTOVERS, Diagnostic, Note
from fathom.passes.left import left_of
from fathom.pipeline.language import Named, unnested
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.pipeline.divided import Divided
    from fathom.pipeline.language import Pipeline
    from fathom.pipeline.lowering import Lowering, Source
    from fathom.pipeline.repair import Trials


def said_of(lowering: Lowering, source: Source) -> list[Diagnostic]:
    """What the passes of a lowering said, and what they left, as warnings; with the last of these the pipeline that
    leaves less."""
    if not lowering.diagnostics and next(left_of(lowering.module), None) is None:
        return []
    from fathom.passes.leftovers import left_behind, waits_for_memory, without_memory

    if any(map(waits_for_memory, lowering.diagnostics)) and _is_ours(lowering):
        return without_memory(lowering.module, lowering.history(source))
    if lowering.failed:
        return lowering.diagnostics
    trials = lowering.trials(source)
    left = left_behind(lowering.module, lowering.history(source), lowering.diagnostics, trials.helps)
    return _advised(lowering.diagnostics, left, trials)


def said_of_divided(divided: Divided, pipeline: Pipeline, source: Source, context: Context) -> list[Diagnostic]:
    """The same of a module that was lowered by several processes, of whose passes there is nothing to say."""
    from fathom.passes.leftovers import told
    from fathom.pipeline.lowering import trials

    if not divided.left:
        return []
    tried = trials(pipeline, source, context, lambda: divided.places, functions=divided.functions)
    return _advised([], told(divided.left, (), tried.helps), tried)


def _advised(given: list[Diagnostic], left: list[Diagnostic], trials: Trials) -> list[Diagnostic]:
    """What passes said, and what was left; with the last of it the pipeline that leaves less."""
    if not left:
        return given
    from fathom.pipeline.repair import MOST_LOWERED, is_foreign
    from fathom.pipeline.run_lines import flags_of

    said = [diagnostic for diagnostic in given if diagnostic.code not in LEFTOVERS or not diagnostic.hint]
    left = [
        replace(diagnostic, severity="warning" if diagnostic.severity == "error" else diagnostic.severity, hint=True)
        for diagnostic in left
    ]
    better = trials.corrected
    text = ""
    # What comes of passes that are not here, only mlir-opt knows.
    if better is not None and not is_foreign(better):
        text = f"the corrected pipeline: {' '.join(flags_of(better) or [str(better)])}"
    elif trials.were_given_up:
        text = f"no better pipeline was looked for any more, after so many operations: {MOST_LOWERED:,}"
    if text:
        left[-1] = replace(left[-1], notes=(*left[-1].notes, Note(text, hint=True)))
    return [*said, *left]


def _is_ours(lowering: Lowering) -> bool:
    """Whether a pipeline of Fathom's own was run, which has no passes that nothing needs."""
    return any(isinstance(item, Named) and item.named.only_as_needed for item in lowering.pipeline.root.items)


def nested(text: str, program: str) -> list[str]:
    """The pipeline with its passes nested where they can run, if that is what is wrong with it."""
    from fathom.pipeline.editing import mended

    loose = unnested(text)
    return [f"{program}: nested where it can run: {mended(loose)}"] if loose is not None else []
