"""What is known of a `.ll` file by its import, at the places of the file.

A feature of MLIR is asked about the document that the import makes; what it says of lines of that is said of the
instructions that they come from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from fathom.diagnostics import Diagnostic
from fathom.execution.outcome import Json
from fathom.graphs.graph import spanned
from fathom.ir.operation import Span
from fathom.ir.printer import Link
from fathom.records import record, replace
from fathom.slices import paced
from fathom_server.features.functions import Function, functions
from fathom_server.features.graph import ShownGraph, graph
from fathom_server.features.preview import MOST_LINES, TOO_LONG, Preview, preview
from fathom_server.features.run import NotRunnable, Runnable, runnable
from fathom_server.features.stages import SOURCE, PreviewStage, stages_of
from fathom_server.model.llvm_ir.excerpt import Part
from fathom_server.model.llvm_ir.imported import Imported
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.modules import Say, with_line
from fathom_server.model.snapshot import Snapshot

IMPORTED: Final = "LLVM dialect, as imported"


@record
class Shown:
    """A function of the file: what the import knows of it, and where it and its name stand in the file."""

    function: Function
    span: Span
    name: Span


def part_shown(source: LlvmSnapshot, function: str | None) -> Part | None:
    """What is to be imported in order to show a function or, if it is None, the file: None is all of it."""
    if function is not None:
        return Part(function)
    return Part(None) if source.tree.line_count > MOST_LINES else None


def shown_stages(image: Snapshot, function: str | None) -> list[PreviewStage]:
    """The stages of the way from the import on."""
    return [replace(stage, title=IMPORTED) if stage.id == SOURCE else stage for stage in stages_of(image, function)]


def function_at(source: LlvmSnapshot, offset: int) -> str | None:
    """The name of the function around an offset of the file."""
    if not source.tree.units:
        return None
    unit = source.tree.units[source.tree.units.find_offset(offset)[0]]
    return unit.key[1:] if unit.is_function and unit.key else None


def shown_functions(source: LlvmSnapshot, image: Snapshot) -> list[Shown]:
    """The functions that stand in the file, in the order of the import."""
    found: list[Shown] = []
    for function in functions(image):
        index = source.index_of(f"@{function.symbol.name}")
        if index is None:
            continue
        unit, base = source.tree.units[index], source.tree.units.offset(index)
        start, end = unit.name_span or (0, 0)
        found.append(Shown(function, Span(base, base + unit.end), Span(base + start, base + end)))
    return found


def shown_preview(
    source: LlvmSnapshot, imported: Imported, image: Snapshot, stage: PreviewStage, function: str | None
) -> Preview:
    """A preview of the import, or of what follows, with links into the file."""
    if function is None and source.tree.line_count > MOST_LINES:
        return Preview(stage, None, None, problem=TOO_LONG)
    if imported.problem:
        return Preview(stage, function, None, problem=imported.problem)
    made = preview(image, stage, function, say=_saying(source, imported))
    links = sorted(_links(source, imported, made.links), key=lambda link: (link.source.start, link.target.start))
    diagnostics = [
        replace(diagnostic, span=next(iter(_spans(source, imported, [diagnostic.span])), None), notes=())
        for diagnostic in made.diagnostics
    ]
    return replace(made, links=tuple(links), diagnostics=tuple(diagnostics), part=None, around=None)


def shown_graph(
    source: LlvmSnapshot, imported: Imported, image: Snapshot, kind: str, stage: PreviewStage, function: str | None
) -> ShownGraph:
    """A graph of the import, or of what follows, whose nodes have their places in the file."""
    if function is None and source.tree.line_count > MOST_LINES:
        return ShownGraph(kind, stage, None, problem=TOO_LONG)
    if imported.problem:
        return ShownGraph(kind, stage, function, problem=imported.problem)
    shown = graph(image, kind, stage, function)
    if shown.graph is None:
        return shown
    nodes = tuple(replace(node, source=_around(source, imported, node.source)) for node in paced(shown.graph.nodes))
    return replace(shown, graph=replace(shown.graph, nodes=nodes))


def _around(source: LlvmSnapshot, imported: Imported, span: Span | None) -> Span | None:
    """From the first to the last of the instructions that some lines of the import come from."""
    if span is None:
        return None
    first, last = (bisect_right(imported.starts, offset) - 1 for offset in (span.start, span.end))
    lines = [Span(start, start) for start in imported.starts[first : last + 1]]
    return spanned(_spans(source, imported, lines))


def to_run(
    source: LlvmSnapshot, imported: Imported, image: Snapshot, name: str, arguments: Sequence[Json], checked: bool
) -> Runnable | NotRunnable:
    """What to send to the worker in order to call a function of the file."""
    if imported.problem:
        return NotRunnable("lowering", imported.problem)
    made = runnable(image, name, arguments, checked, _saying(source, imported))
    if isinstance(made, NotRunnable):
        return made
    checks = [
        replace(check, span=next(iter(_spans(source, imported, [check.span])), None)) for check in made.request.checks
    ]
    return replace(made, request=replace(made.request, checks=checks))


def _saying(source: LlvmSnapshot, imported: Imported) -> Say:
    """Says a diagnostic of the import with the line of the file that it is about, if that is known."""

    def say(diagnostic: Diagnostic, _image: Snapshot) -> str:
        span = next(_spans(source, imported, [diagnostic.span]), None)
        return with_line(diagnostic, source.tree.line_at(span.start)[0] if span is not None else None)

    return say


def _links(source: LlvmSnapshot, imported: Imported, links: Iterable[Link]) -> Iterator[Link]:
    for link in links:
        for span in _spans(source, imported, [link.source]):
            yield Link(span, link.target)


def _spans(source: LlvmSnapshot, imported: Imported, spans: Iterable[Span | None]) -> Iterator[Span]:
    """The instructions that lines of the import come from, of those spans of which it is known."""
    for span in spans:
        if span is None:
            continue
        pair = imported.pairs.get(bisect_right(imported.starts, span.start) - 1)
        if pair is not None:
            base = source.tree.units.offset(source.tree.units.index_of(pair.unit))
            yield Span(base + pair.start, base + pair.end)
