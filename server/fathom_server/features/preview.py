"""Previews: a function or the whole document at a stage of the pipeline, with a map between its text and the source."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Operation, Span
from fathom.ir.printer import print_with_map
from fathom.passes.definition import Pass
from fathom.pipeline import Nest, Pipeline, run
from fathom.syntax.tree import Item
from fathom.translation import translate
from fathom_server.session.analysis import function_module, in_one_line, stalled, whole_module
from fathom_server.session.document import Document
from fathom_server.session.snapshot import Snapshot

_LOGGER = logging.getLogger(__name__)

SOURCE = "source"
LLVM_DIALECT = "llvm-dialect"
LLVM_IR = "llvm-ir"
MOST_LINES = 20_000
"""A file of more lines than this takes minutes; it is not shown as a whole."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A point on the way to LLVM IR. `passes` is how many passes of the pipeline have run there."""

    id: str
    title: str
    language: str
    passes: int


@dataclass(frozen=True, slots=True)
class Link:
    """Text of the preview and the source that it came from; half-open ranges of offsets."""

    source: Span
    target: Span


@dataclass(frozen=True, slots=True)
class Preview:
    """A text with its links to the source, or why there is none. Of the whole document if `function` is None."""

    stage: Stage
    function: str | None
    text: str | None
    links: tuple[Link, ...] = ()
    problem: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    names: frozenset[str] = frozenset()
    """The symbols that it depends on."""


def stages(snapshot: Snapshot) -> list[Stage]:
    """The stages of the pipeline in force, from the source to LLVM IR. The last pass's own stage is the LLVM
    dialect."""
    found = [Stage(SOURCE, "Source, as Fathom understands it", "mlir", 0)]
    seen: dict[str, int] = {}
    uses = snapshot.settings.pipeline.passes
    for index, use in enumerate(uses[:-1], 1):
        seen[use.name] = seen.get(use.name, 0) + 1
        id = use.name if seen[use.name] == 1 else f"{use.name}#{seen[use.name]}"
        found.append(Stage(id, f"After {id}", "mlir", index))
    found.append(Stage(LLVM_DIALECT, "LLVM dialect", "mlir", len(uses)))
    found.append(Stage(LLVM_IR, "LLVM IR", "llvm", len(uses)))
    return found


def preview(snapshot: Snapshot, stage: Stage, function: str | None) -> Preview:
    """The preview of a stage; of the whole document if `function` is None. Never raises."""
    try:
        return _preview(snapshot, stage, function)
    except Exception as fault:
        _LOGGER.exception("preview of %s at %s", function or "the file", stage.id)
        return Preview(stage, function, None, problem=f"a fault in Fathom: {type(fault).__name__}: {fault}")


def _preview(snapshot: Snapshot, stage: Stage, function: str | None) -> Preview:
    document = snapshot.document
    names: frozenset[str] = frozenset()
    if function is None and document.tree.line_count > MOST_LINES:
        return Preview(
            stage, function, None, problem=f"a file of more than {MOST_LINES} lines is shown by functions only"
        )
    if function is None:
        module, problem = whole_module(document)
    else:
        symbol = document.definition(function)
        if symbol is None:
            return Preview(stage, function, None, problem=f"there is no function @{function}")
        module, items, problem = function_module(symbol.item, document, bodies=False)
        names = frozenset(name for item in items for name in _names_of(item)) | {function}
    if problem is not None:
        return Preview(stage, function, None, problem=problem, names=names)
    result = run(_prefix(snapshot.settings.pipeline, stage.passes), module, document.context)
    is_end = stage.id in (LLVM_DIALECT, LLVM_IR)
    diagnostics = tuple(stalled(result, module) if is_end else result.diagnostics)
    # LLVM IR needs all of the module lowered; any other stage is shown with what was left behind.
    stops = diagnostics if stage.id == LLVM_IR else [d for d in result.diagnostics if d.severity == "error"]
    if stops:
        problem = in_one_line(stops[0], document)
        return Preview(stage, function, None, problem=problem, diagnostics=diagnostics, names=names)
    if stage.id == LLVM_IR:
        return _llvm_ir(stage, function, module, document, names)
    text, links = _mlir(module)
    return Preview(stage, function, text, links, None, diagnostics, names)


def _names_of(item: Item) -> frozenset[str]:
    return item.cache["analysis"].names


def _prefix(pipeline: Pipeline, passes: int) -> Pipeline:
    """The pipeline up to and with its pass number `passes`."""
    left = passes

    def cut(nest: Nest) -> Nest:
        nonlocal left
        kept: list[Pass | Nest] = []
        for item in nest.items:
            if left <= 0:
                break
            if isinstance(item, Pass):
                left -= 1
                kept.append(item)
            else:
                kept.append(cut(item))
        return Nest(nest.anchor, tuple(kept))

    return Pipeline(cut(pipeline.root), pipeline.errors)


def _mlir(module: Operation) -> tuple[str, tuple[Link, ...]]:
    text, ranges = print_with_map(module)
    links: list[Link] = []
    for op, start, end in ranges:
        if op.span is None or op is module:
            continue
        if op.regions:
            line_end = text.find("\n", start)
            end = min(end, line_end if line_end >= 0 else end)
        links.append(Link(op.span, Span(start, end)))
    return text, _ordered(links)


def _llvm_ir(
    stage: Stage, function: str | None, module: Operation, document: Document, names: frozenset[str]
) -> Preview:
    translation = translate(module)
    errors = [d for d in translation.diagnostics if d.severity == "error"]
    if errors:
        problem = in_one_line(errors[0], document)
        return Preview(stage, function, None, problem=problem, diagnostics=tuple(translation.diagnostics), names=names)
    links: list[Link] = []
    offset = 0
    for line, span in zip(translation.text.splitlines(keepends=True), translation.line_spans, strict=False):
        if span is not None:
            body = line.rstrip("\n")
            indent = len(body) - len(body.lstrip())
            links.append(Link(span, Span(offset + indent, offset + len(body))))
        offset += len(line)
    return Preview(stage, function, translation.text, _ordered(links), None, tuple(translation.diagnostics), names)


def _ordered(links: list[Link]) -> tuple[Link, ...]:
    return tuple(sorted(links, key=lambda link: (link.source.start, link.target.start)))
