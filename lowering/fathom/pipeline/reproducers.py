"""Reproducers: a module with the pipeline that is to run on it, in one file.

    {-#
      external_resources: {
        mlir_reproducer: {
          pipeline: "builtin.module(canonicalize{…}, cse)",
          disable_threading: false,
          verify_each: true
        }
      }
    #-}

One is written where a pipeline fails, of the module as it was before that, or before the pass that failed; or when it
is asked for. Source of the rules: *Pass Infrastructure*, "Crash and Failure Reproduction"; mlir-opt 22.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import PIPELINE, Diagnostic, Note
from fathom.irdl.interfaces import symbol_name
from fathom.pipeline.language import Named, Nest, parse_pipeline
from fathom.pipeline.observer import Observer
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fathom.ir.metadata import Metadata
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Pass
    from fathom.pipeline.language import Find, Item, Pipeline

OWNER: Final = "mlir_reproducer"
"""Whose resources it is that say the pipeline."""


def stored_pipeline(metadata: Metadata, find: Find) -> tuple[Pipeline, bool] | None:
    """The pipeline of a file, which is taken from its metadata, and whether to verify after each pass; None where there
    is none."""
    entries = metadata.external.pop(OWNER, {})
    if "pipeline" not in entries:
        return None
    return parse_pipeline(entries["pipeline"].strip('"'), find), entries.get("verify_each", "true") == "true"


def resources(pipeline: str, *, threads: bool, verifies: bool) -> dict[str, dict[str, str]]:
    """What a file says of a pipeline, by the tool and the key."""
    word = {True: "true", False: "false"}
    return {
        OWNER: {
            "pipeline": quote(pipeline),
            "disable_threading": word[not threads],
            "verify_each": word[verifies],
        }
    }


def whole(pipeline: Pipeline, between: str = ",") -> str:
    """A pipeline on one line, with all options."""
    return f"{pipeline.root.anchor}({between.join(_spelled(pipeline.root.items))})"


def _spelled(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Named):
            yield from _spelled(item.items)
        elif isinstance(item, Nest):
            yield f"{item.anchor}({','.join(_spelled(item.items))})"
        else:
            yield item.spelled_out()


class CrashReproducer(Observer):
    """Looks on, and writes a reproducer to a file where a pass fails.

    `printed(module, resources)` is the text of a module. One that is `local` is of the pass that failed alone.
    """

    def __init__(
        self,
        file: str,
        pipeline: Pipeline,
        module: Operation,
        printed: Callable[[Operation, dict[str, dict[str, str]]], str],
        *,
        local: bool,
        threads: bool,
        verifies: bool,
    ) -> None:
        self._file, self._pipeline, self._module, self._printed, self._local = file, pipeline, module, printed, local
        self._threads, self._verifies = threads, verifies
        self._text = "" if local else self._text_with(whole(pipeline, ", "))
        self.failed: tuple[Pass, Operation] | None = None
        """The pass that failed, and what it ran on."""

    def _text_with(self, pipeline: str) -> str:
        said = resources(pipeline, threads=self._threads, verifies=self._verifies)
        return self._printed(self._module, said)

    def before_pass(self, use: Pass, op: Operation) -> None:
        if self._local:
            anchors: list[str] = []
            outer: Operation | None = op
            while outer is not None:
                anchors.append(outer.name)
                outer = outer.parent_op
            text = use.spelled_out()
            for anchor in anchors:
                text = f"{anchor}({text})"
            self._text = self._text_with(text)

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        if failed and self.failed is None:
            self.failed = use, op

    def written(self) -> Diagnostic | None:
        """Writes the reproducer if a pass failed, and what is said of that."""
        if self.failed is None:
            return None
        use, op = self.failed
        problem = write_to(self._file, self._text)
        done = f"failed to create output stream: {problem}" if problem else f"reproducer generated at `{self._file}`"
        name = symbol_name(op)
        which = f"`{type(use).__name__}` on '{op.name}' operation{f': @{name}' if name else ''}"
        note = f"Pipeline failed while executing {which if self._local else f'[{which}]'}: {done}"
        message = "Failures have been detected while processing an MLIR pass pipeline"
        return Diagnostic(message, op.span, code=PIPELINE, notes=(Note(note, op.span),))


def write_to(file: str, text: str) -> str | None:
    """Writes a reproducer; what is wrong if that cannot be."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        return f"Failed to create reproducer stream: cannot open output file '{file}': {error.strerror}"
    return None
