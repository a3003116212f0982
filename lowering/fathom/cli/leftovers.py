"""What `fathom opt` says of what a pipeline leaves behind that was to reach the LLVM dialect, and commands of one that
does not nest its passes where they can run. mlir-opt says nothing of the first."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fathom.diagnostics import LEFTOVERS, Diagnostic, Note
from fathom.ir.clone import clone
from fathom.passes.leftovers import left_behind, places_left, waits_for_memory, without_memory
from fathom.pipeline.editing import mended
from fathom.pipeline.language import AsNeeded, unnested
from fathom.pipeline.repair import MOST_LOWERED, Trials, is_foreign
from fathom.pipeline.run_lines import flags_of
from fathom.pipeline.tracing import Tracing
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.pipeline import Pipeline, PipelineResult


class Leftovers:
    """Made before a pipeline runs on a module; `tracing` has to look on."""

    def __init__(self, pipeline: Pipeline, module: Operation, context: Context) -> None:
        self.tracing = Tracing(pipeline, module)
        self._pipeline = pipeline
        self._context = context
        self._module = module
        self._source = clone(module)

    def said(self, result: PipelineResult) -> list[Diagnostic]:
        """What the passes said, and what they left, as warnings; with the last of these the pipeline that leaves
        less."""
        if any(map(waits_for_memory, result.diagnostics)) and self._is_ours:
            return without_memory(self._module, self.tracing.history)
        trials = cache(lambda: Trials(self._pipeline, self._source, self._context, places_left(self._module)))
        found = self._module, self.tracing.history, result.diagnostics
        left = left_behind(*found, lambda steps: trials().helps(steps)) if not result.failed else []
        if not left:
            return result.diagnostics
        said = [each for each in result.diagnostics if each.code not in LEFTOVERS or not each.hint]
        left = [
            replace(each, severity="warning" if each.severity == "error" else each.severity, hint=True) for each in left
        ]
        better = trials().corrected
        text = ""
        # What comes of passes that are not here, only mlir-opt knows.
        if better is not None and not is_foreign(better):
            text = f"the corrected pipeline: {' '.join(flags_of(better) or [str(better)])}"
        elif trials().were_given_up:
            text = f"no better pipeline was looked for any more, after so many operations: {MOST_LOWERED:,}"
        if text:
            left[-1] = replace(left[-1], notes=(*left[-1].notes, Note(text, hint=True)))
        return [*said, *left]

    @property
    def _is_ours(self) -> bool:
        """Whether a pipeline of Fathom's own is run, which has no passes that nothing needs."""
        return any(isinstance(item, AsNeeded) for item in self._pipeline.root.items)


def nested(text: str, program: str) -> list[str]:
    """The pipeline with its passes nested where they can run, if that is what is wrong with it."""
    loose = unnested(text)
    return [f"{program}: nested where it can run: {mended(loose)}"] if loose is not None else []
