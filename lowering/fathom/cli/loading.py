"""From an input to a module, and from a module through passes: the steps that the commands share."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from fathom.cli.report import Reporter
from fathom.cli.streams import Input, Streams
from fathom.context import Context
from fathom.diagnostics import Diagnostic, Note
from fathom.elaborate import Loaded, load
from fathom.elaborate.unknown import CUSTOM_TEXT
from fathom.ir.operation import Operation, Span
from fathom.verify import verify

SPLIT_MARKER = "// -----"
UNREGISTERED = (
    "operation being parsed with an unregistered dialect. If this is intended, please use "
    "-allow-unregistered-dialect with the MLIR tool used"
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of an input, with the offset at which it starts."""

    text: str
    offset: int


def chunks(source: Input, *, split: bool) -> Iterator[Chunk]:
    """The whole text, or its parts between `// -----` lines."""
    if not split:
        yield Chunk(source.text, 0)
        return
    offset = 0
    for text in source.text.split(SPLIT_MARKER):
        yield Chunk(text, offset)
        offset += len(text) + len(SPLIT_MARKER)


def process_chunks(source: Input, options: Namespace, streams: Streams, process: Callable[[Chunk], str | None]) -> int:
    """Writes what `process` makes of each chunk (None where it failed), and gives the exit status.

    Of a text that is not split (`--split-input-file`), nothing is written if it failed.
    """
    texts = [process(chunk) for chunk in chunks(source, split=options.split_input_file)]
    failed = None in texts
    if not failed or options.split_input_file:
        streams.write(options.output, "// -----\n".join(text or "" for text in texts))
    return int(failed)


def read_module(
    chunk: Chunk, context: Context, reporter: Reporter, *, allow_unregistered: bool, known: Container[str] = ()
) -> Loaded | None:
    """The module of a chunk, verified; None after its errors were reported.

    `known` names operations that have no definition, and that the command takes in generic form all the same.
    """
    loaded = load(chunk.text, context)
    problems = [d for d in loaded.diagnostics if d.severity == "error"]
    if not allow_unregistered:
        reported = {d.span.start for d in problems if d.span is not None}
        refused = unregistered(loaded.module, chunk.text, context, known)
        problems += [d for d in refused if d.span is None or d.span.start not in reported]
        problems.sort(key=lambda d: d.span.start if d.span is not None else 0)
    if not problems:
        problems = verify(loaded.module)
    reporter.report(problems, chunk.offset)
    return None if problems else loaded


def unregistered(module: Operation, text: str, context: Context, known: Container[str] = ()) -> list[Diagnostic]:
    """An error for each operation that no definition covers, but for those in generic form that are `known`.

    An operation that has a definition and was not made by it has a mistake, which was reported as such.
    """
    return [
        _refuse(op, text, context)
        for op in module.walk()
        if op.name and context.lookup(op.name) is None and (op.name not in known or CUSTOM_TEXT in op.properties)
    ]


def _refuse(op: Operation, text: str, context: Context) -> Diagnostic:
    quoted = f'"{op.name}"'
    start = op.span.start if op.span is not None else 0
    end = op.span.end if op.span is not None else len(text)
    place = text.find(quoted, start, end)
    known = context.dialect(op.dialect) is not None
    if place >= 0 and not known:
        # MLIR points behind the name.
        after = place + len(quoted)
        return Diagnostic(UNREGISTERED, Span(after, after + 1), code="unregistered")
    if place >= 0:
        found = f"unregistered operation '{op.name}' found in dialect ('{op.dialect}')"
        message = f"{found} that does not allow unknown operations"
        return Diagnostic(message, op.span, code="unregistered")
    place = max(text.find(op.name, start, end), start)
    span = Span(place, place + len(op.name))
    if known:
        return Diagnostic(f"custom op '{op.name}' is unknown", span, code="unregistered")
    note = Note("its dialect is not known here; write it in generic form and allow unregistered dialects to keep it")
    return Diagnostic(
        f"Dialect `{op.dialect}' not found for custom op '{op.name}' ", span, code="unregistered", notes=(note,)
    )


def report_pipeline(streams: Streams, reporter: Reporter, diagnostics: list[Diagnostic], offset: int) -> bool:
    """Reports what a run of a pipeline found; whether it failed. Mistakes in the pipeline itself have no place."""
    for diagnostic in diagnostics:
        if diagnostic.code == "pipeline" and diagnostic.span is None:
            text = diagnostic.message
            is_placed = text.startswith(("<unknown>", "fathom"))
            streams.stderr.write((text if is_placed else f"{reporter.source.name}:0:0: error: {text}") + "\n")
        else:
            reporter.report([diagnostic], offset)
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)
