"""Passes that are named in the program, and run while another one does.

Source of the rules: *Pass Infrastructure*; `transform.apply_registered_pass` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.passes import find_pipeline
from fathom.passes.definition import ANY, Pass, PassPipeline
from fathom.pipeline.language import UNKNOWN_PLACE, Named, Nest, Pipeline, configured, runs_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Prepare, RunOn


def prepare_in(context: Context, run: Callable[[Pipeline, Operation], list[Diagnostic]]) -> Prepare:
    """How passes are had by their names; `run` runs a pipeline on an operation."""

    def prepare(name: str, options: str) -> RunOn | Sequence[str] | None:
        class_ = find_pipeline(name) or context.find_pass(name)
        if class_ is None:
            return None
        use = class_.read(options)
        if isinstance(use, str):
            return [use.replace(UNKNOWN_PLACE, "").strip()]
        errors: list[str] = []
        item = configured(use, context.find_pass, errors, ANY) if isinstance(use, PassPipeline) else use
        return errors or (lambda op: _unfit(item, op) or run(Pipeline(Nest(ANY, (item,))), op))

    return prepare


def _unfit(item: Pass | Named, op: Operation) -> list[Diagnostic]:
    """That a pass does not run on an operation."""
    passes = item.items if isinstance(item, Named) else (item,)
    for use in passes:
        if isinstance(use, Pass) and not runs_on(use.__class__, op.name):
            message = f"'{op.name}' op trying to schedule pass '{use.__class__.__name__}' on an unsupported operation"
            return [Diagnostic(message, op.span, code=PIPELINE, op=op)]
    return []
