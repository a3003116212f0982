"""Graphs of a function, or of the whole document, at a stage of the pipeline; places are those of the preview."""

from __future__ import annotations

import logging
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from fathom.graphs.graph import Graph, Limits, spanned
from fathom.graphs.making import KINDS, OF_FUNCTION, OF_LLVM_IR, OF_MODULE, of_function, of_llvm_ir
from fathom.graphs.printed import Printed
from fathom.ir.operation import Span
from fathom.ir.printer import Link
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.programs.functions import has_body, symbols_of_path
from fathom.records import record, replace
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom.text.beginnings import TextTooLong
from fathom.text.lines import Lines as TextLines
from fathom.verify.printing import flags_for
from fathom_server.features.preview import LONGEST_LINE, MOST_LINES, TOO_LONG, preview
from fathom_server.features.preview import ahead as ahead_of_preview
from fathom_server.features.preview import items_beside as previewed_beside
from fathom_server.features.stages import CODE, LLVM_IR, OF_LLVM, PreviewStage
from fathom_server.model.locations import locator
from fathom_server.model.lowered import LoweredModule, lowered, split_lowered
from fathom_server.model.modules import in_one_line, placed, splits
from fathom_server.model.scoping import find, unit_of
from fathom_server.model.snapshot import Snapshot

__all__ = ["KINDS", "OF_FUNCTION", "ShownGraph", "ahead", "graph", "impossible", "items_beside"]

_LOGGER = logging.getLogger(__name__)
_NOT_READ: Final = "the LLVM IR that it becomes is not read"


@record
class ShownGraph:
    """A graph, in which sources are those of the document and targets are in `text`, or why there is none; of the whole
    document if `function` is None."""

    kind: str
    stage: PreviewStage
    function: str | None
    graph: Graph | None = None
    text: str = ""
    problem: str | None = None


def graph(snapshot: Snapshot, kind: str, stage: PreviewStage, function: str | None) -> ShownGraph:
    """The graph of a kind. Never raises."""
    empty = ShownGraph(kind, stage, function)
    if stage.language == "asm":
        return replace(empty, problem="of assembly there is no graph")
    if stage.id in OF_LLVM and kind not in OF_LLVM_IR:
        return replace(empty, problem=f"of LLVM IR there are: {', '.join(OF_LLVM_IR)}")
    if kind in OF_FUNCTION and function is None:
        return replace(empty, problem="there is no function here")
    try:
        if stage.tool is not None:
            return _of_tool(snapshot, empty)
        if stage.id in CODE:
            return _of_code(snapshot, empty)
        return _of_function(snapshot, empty) if kind in OF_FUNCTION else _of_module(snapshot, empty)
    except TextTooLong as problem:
        return replace(empty, problem=str(problem))
    except Exception as fault:
        _LOGGER.exception("the graph %s of %s at %s", kind, function or "the file", stage.id)
        return impossible(kind, stage, function, f"{type(fault).__name__}: {fault}")


def impossible(kind: str, stage: PreviewStage, function: str | None, reason: str) -> ShownGraph:
    """What is shown instead of a graph, because of a fault of Fathom's own."""
    return ShownGraph(kind, stage, function, problem=f"a fault in Fathom: {reason}")


def ahead(snapshot: Snapshot, kind: str, stage: PreviewStage, function: str | None) -> Callable[[], None] | None:
    """What a graph would wait for that takes longer than a key may: what LLVM makes of it."""
    return ahead_of_preview(snapshot, stage, function if kind in OF_FUNCTION else None, None)


def items_beside(snapshot: Snapshot, kind: str, stage: PreviewStage, function: str | None) -> tuple[Item, ...] | None:
    """The items that a graph is about which takes longer than a key may; None of any other."""
    return previewed_beside(snapshot, stage, function if kind in OF_FUNCTION else None)


def _of_function(snapshot: Snapshot, empty: ShownGraph) -> ShownGraph:
    symbol = find(snapshot, empty.function) if empty.function is not None else None
    if symbol is None or symbol.is_open:
        return replace(empty, problem=f"there is no function @{empty.function}")
    made = lowered(snapshot, unit_of(symbol), empty.stage.passes, False)
    return _made(snapshot, made, empty, symbol.name)


def _of_module(snapshot: Snapshot, empty: ShownGraph) -> ShownGraph:
    """Of a document that lines divide, the split in which the function stands, or else the first that has anything to
    show."""
    if snapshot.tree.line_count > MOST_LINES:
        return replace(empty, problem=TOO_LONG)
    shown = empty
    symbol = find(snapshot, empty.function) if empty.function is not None else None
    its_own = [snapshot.tree.split_of(snapshot.tree.index_of(symbol.item))] if symbol is not None else None
    for split in its_own or splits(snapshot):
        shown = _made(snapshot, split_lowered(snapshot, split, empty.stage.passes), replace(empty, function=None), "")
        if shown.problem is not None or (shown.graph is not None and shown.graph.nodes):
            return shown
    return shown


def _of_code(snapshot: Snapshot, empty: ShownGraph) -> ShownGraph:
    """Of LLVM IR that LLVM made, off the preview of that."""
    from fathom.graphs.llvm_ir import Lines

    function = empty.function if empty.kind in OF_FUNCTION else None
    symbol = find(snapshot, function) if function is not None else None
    shown = preview(snapshot, empty.stage, function)
    if shown.text is None:
        return replace(empty, problem=shown.problem or _NOT_READ)
    numbers = TextLines(shown.text)
    sources: list[Span | None] = [None] * len(numbers)
    for link in paced(shown.links):
        line = numbers.place(link.target.start)[0] - 1
        sources[line] = spanned((sources[line], link.source))
    lines = Lines.of(shown.text, shown.text, sources)
    if lines is None:
        return replace(empty, problem=_NOT_READ)
    graph = of_llvm_ir(empty.kind, lines, symbol.name if symbol is not None else "", Limits())
    return replace(empty, function=function, graph=graph, text=shown.text)


def _of_tool(snapshot: Snapshot, empty: ShownGraph) -> ShownGraph:
    """Of what a tool of other people made, read off its preview: operations of any dialect."""
    from fathom.inputs.loading import Loading
    from fathom.inputs.splitting import Chunk

    function = empty.function if empty.kind in OF_FUNCTION else None
    symbol = find(snapshot, function) if function is not None else None
    shown = preview(snapshot, empty.stage, function)
    if shown.text is None:
        return replace(empty, problem=shown.problem or _NOT_READ)
    loaded, problems = Loading(allow_unregistered=True, context=snapshot.context).told(Chunk(shown.text, 0))
    if problems and not [*loaded.module.walk()][1:]:
        return replace(empty, problem=problems[0].message)
    printed = Printed.of(loaded.module)
    if empty.kind in OF_MODULE:
        graph = OF_MODULE[empty.kind](loaded.module, printed, "", Limits())
    else:
        name = symbol.name if symbol is not None else ""
        found = next(filter(has_body, symbols_of_path(loaded.module, (name,))), None)
        if found is None:
            return replace(empty, problem=f"there is no function @{function} at this stage")
        graph = of_function(empty.kind, found, printed, function or "", Limits(), snapshot.context)
    places = _Targets(shown.links)
    nodes = tuple(replace(node, source=places.source(node.source), target=node.source) for node in paced(graph.nodes))
    return replace(empty, function=function, graph=replace(graph, nodes=nodes), text=shown.text)


class _Targets:
    """Where parts of a preview come from, by where they stand in it."""

    def __init__(self, links: Sequence[Link]) -> None:
        self._links = sorted(links, key=lambda link: link.target.start)
        self._starts = [link.target.start for link in self._links]

    def source(self, span: Span | None) -> Span | None:
        """From the first to the last of the places that what stands in a part comes from."""
        if span is None:
            return None
        first, last = bisect_right(self._starts, span.start) - 1, bisect_left(self._starts, span.end)
        near = self._links[max(first, 0) : last]
        return spanned(link.source for link in near if link.target.end > span.start)


def _made(snapshot: Snapshot, made: LoweredModule, empty: ShownGraph, name: str) -> ShownGraph:
    module, lowering = made.module, made.lowering
    fatal = [each for each in lowering.diagnostics if each.severity == "error" and each.fatal]
    problem = module.problem or next(iter(fatal), None)
    if problem is not None:
        return replace(empty, problem=in_one_line(placed(problem, module.layout, snapshot), snapshot))
    if empty.stage.id == LLVM_IR:
        return _of_llvm_ir(snapshot, made, empty, name)
    flags = SHOWN_FLAGS if lowering.is_valid else flags_for(module.inner, SHOWN_FLAGS)
    printed = Printed.of(module.inner, flags)
    if empty.kind in OF_MODULE:
        graph = OF_MODULE[empty.kind](module.inner, printed, "", Limits())
    else:
        function = next(filter(has_body, symbols_of_path(module.inner, (name,))), None)
        if function is None:
            return replace(empty, problem=f"there is no function @{empty.function} at this stage")
        graph = of_function(empty.kind, function, printed, empty.function or "", Limits(), snapshot.context)
    return replace(empty, graph=_placed(snapshot, made, graph), text=printed.text)


def _of_llvm_ir(snapshot: Snapshot, made: LoweredModule, empty: ShownGraph, name: str) -> ShownGraph:
    from fathom.graphs.llvm_ir import Lines

    module = made.module
    findings = [finding for finding in made.lowering.verdict().findings if finding.severity == "error"]
    locate = locator(snapshot, module.layout)
    translated = made.lowering.translated(module.inner, shown=LONGEST_LINE, locate=locate) if not findings else None
    problem = findings[0] if translated is None else translated.error
    if translated is None or problem is not None:
        said = in_one_line(placed(problem, module.layout, snapshot), snapshot) if problem is not None else ""
        return replace(empty, problem=said or "it does not become LLVM IR")
    translation = translated.translation
    lines = Lines.of(translation.text, translation.asked, translation.line_spans)
    if lines is None:
        return replace(empty, problem=_NOT_READ)
    graph = of_llvm_ir(empty.kind, lines, name, Limits())
    return replace(empty, graph=_placed(snapshot, made, graph), text=translation.text)


def _placed(snapshot: Snapshot, made: LoweredModule, graph: Graph) -> Graph:
    """The graph with the source in the document."""
    spans: Sequence[Span | None] = [node.source for node in graph.nodes]
    places = iter(made.module.layout.place_all(snapshot, [span for span in spans if span is not None]))
    nodes = tuple(
        replace(node, source=next(places)) if node.source is not None else node for node in paced(graph.nodes)
    )
    return replace(graph, nodes=nodes)
