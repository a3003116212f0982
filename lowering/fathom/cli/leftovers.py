"""What `fathom opt` says of what a pipeline leaves behind that was to reach the LLVM dialect, and commands of one that
does not nest its passes where they can run. mlir-opt says nothing of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import LEFTOVERS, Diagnostic, Note
from fathom.ir.clone import clone
from fathom.passes.leftovers import left_behind
from fathom.pipeline.editing import mended
from fathom.pipeline.language import unnested
from fathom.pipeline.repair import corrected
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
        left = left_behind(self._module, self.tracing.history, result.diagnostics) if not result.failed else []
        if not left:
            return result.diagnostics
        said = [each for each in result.diagnostics if each.code not in LEFTOVERS or not each.hint]
        left = [
            replace(each, severity="warning" if each.severity == "error" else each.severity, hint=True) for each in left
        ]
        better = corrected(self._pipeline, self._source, self._context)
        if better is not None:
            text = " ".join(flags_of(better) or [str(better)])
            notes = (*left[-1].notes, Note(f"the corrected pipeline: {text}", hint=True))
            left[-1] = replace(left[-1], notes=notes)
        return [*said, *left]


def nested(text: str, program: str) -> list[str]:
    """The pipeline with its passes nested where they can run, if that is what is wrong with it."""
    loose = unnested(text)
    return [f"{program}: nested where it can run: {mended(loose)}"] if loose is not None else []
