"""A stage of a tool of other people: the source as the tool is handed it, and what the tool made, at its places."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic, Note, Severity, alone
from fathom.ir.operation import Operation, Span
from fathom.ir.printer import Link, linked_text
from fathom.ir.printing_flags import WRITTEN_FLAGS
from fathom.records import record
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom.tools.locations import Place
from fathom.tools.messages import Kind, Message
from fathom.verify.printing import flags_for
from fathom_server.model.lowered import LoweredModule, begun, lowered, split_lowered
from fathom_server.model.modules import Layout
from fathom_server.model.parts import Part
from fathom_server.model.queries import query
from fathom_server.model.scoping import Unit
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.tool_runs import made, to_make, to_make_all
from fathom_server.model.tools import ToolStage

LONGEST: Final = 8 << 20
"""Characters that a tool is handed at most."""
_SEVERITIES: Final[dict[Kind, Severity]] = {"error": "error", "warning": "warning", "remark": "information"}
_MODULE: Final = re.compile(r'^(?:module|"builtin\.module").*', re.MULTILINE)
NOT_ALLOWED: Final = (
    "{0} is a tool that `fathom.toml` names, which is run only where the setting `fathom.projectTools` allows it; it "
    "would run: {1}"
)


@record
class Handed:
    """A text that a tool is handed, with where each operation in it comes from; or what keeps it from being there.
    Places are those of the layout."""

    layout: Layout
    text: str
    links: tuple[Link, ...]
    problem: Diagnostic | None = None


@record
class Shown:
    """What a tool made, so many `operations`, with its places in the layout; or with a `problem`, why there is none."""

    text: str
    links: tuple[Link, ...]
    diagnostics: tuple[Diagnostic, ...]
    problem: Diagnostic | None = None
    operations: int = 0


@query(keep=16)
def handed(snapshot: Snapshot, unit: Unit) -> Handed:
    """A unit as tools are handed it, with declarations of what it uses."""
    return _handed(lowered(snapshot, unit, 0, False))


@query(keep=2)
def handed_split(snapshot: Snapshot, split: Item | None) -> Handed:
    """A split of the document as tools are handed it."""
    return _handed(split_lowered(snapshot, split, 0))


def handed_part(snapshot: Snapshot, part: Part) -> Handed:
    """A part of a function as tools are handed it; its module is given up."""
    return _handed(begun(snapshot, part.module, 0))


def _handed(source: LoweredModule) -> Handed:
    module = source.module
    if module.problem is not None:
        return Handed(module.layout, "", (), alone(module.problem))
    flags = WRITTEN_FLAGS if source.lowering.is_valid else flags_for(module.inner, WRITTEN_FLAGS)
    text, links = linked_text(module.inner, flags)
    if len(text) > LONGEST:
        return Handed(module.layout, "", (), Diagnostic(f"a tool is handed at most {LONGEST >> 20} MB"))
    around = [Link(Span(span.start, span.end), at) for span, at in _module_line(module.inner, text)]
    return Handed(module.layout, text, (*around, *sorted(links, key=lambda link: link.target.start)))


def _module_line(module: Operation, text: str) -> Iterator[tuple[Span, Span]]:
    """A module that the source has, and where its line is: declarations that passes add come from it."""
    line = _MODULE.search(text)
    if module.span is not None and line is not None:
        yield module.span, Span(line.start(), line.end())


def runs_of(stage: ToolStage, texts: Iterable[Handed], uri: str) -> Iterator[Callable[[], None]]:
    """What has the tool run on texts, as far as it has not and may."""
    for each in texts:
        if stage.tool.is_allowed and each.problem is None:
            run = to_make(stage, each.text, uri)
            if run is not None:
                yield run


def all_runs_of(stages: Sequence[ToolStage], text: Handed, uri: str) -> Callable[[], None] | None:
    """What has a tool run once for all of these stages of it, as far as they are not there and it may."""
    if text.problem is not None or not all(stage.tool.is_allowed for stage in stages):
        return None
    return to_make_all(stages, text.text, uri)


def by_tool(stage: ToolStage, given: Handed) -> Shown:
    """What a tool made of a text; it runs before it is asked for (`runs_of`)."""
    if given.problem is not None:
        return Shown("", (), (), given.problem)
    tool = stage.tool
    if not tool.is_allowed:
        return Shown("", (), (), Diagnostic(NOT_ALLOWED.format(tool.name, tool.shown)))
    there = made(stage, given.text)
    if there is None:
        return Shown("", (), (), Diagnostic(f"{tool.name} was ended by an edit"))
    places = _Places(given)
    diagnostics = tuple(_diagnostic(message, places) for message in there.messages)
    if there.problem:
        stop = next((each for each in diagnostics if each.severity == "error"), Diagnostic(there.problem))
        return Shown("", (), diagnostics, stop)
    whole = _MODULE.search(there.located.text)
    links = [
        Link(source, target)
        for target, found in paced(there.located.places)
        if whole is None or target.start != whole.start()
        for source in places.sources(found)
    ]
    return Shown(there.located.text, tuple(links), diagnostics, operations=there.located.operations)


class _Places:
    """The places of a text that a tool was handed, in the source."""

    def __init__(self, given: Handed) -> None:
        self._links = given.links
        self._starts = [link.target.start for link in given.links]
        self._lines = [0]
        for line in given.text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def sources(self, found: Iterable[Place]) -> list[Span]:
        """Where places come from, each once."""
        spans = map(self.source, found)
        return [*dict.fromkeys(span for span in spans if span is not None)]

    def source(self, place: Place) -> Span | None:
        """Where the operation comes from whose first line a place is in."""
        line, column = place
        if not 1 <= line < len(self._lines):
            return None
        start, stop = self._lines[line - 1], self._lines[line]
        offset = min(start + max(column - 1, 0), stop)
        index = bisect_right(self._starts, offset) - 1
        # A tool may place it at what stands before its name.
        if index < 0 or self._links[index].target.end < start:
            index += 1
        if index >= len(self._links) or not start <= self._links[index].target.start < stop:
            return None if index >= len(self._links) else self._around(index, start)
        return self._links[index].source

    def _around(self, index: int, start: int) -> Span | None:
        """Of a place in a further line of an operation, that."""
        link = self._links[index]
        return link.source if link.target.start <= start <= link.target.end else None


def _diagnostic(message: Message, places: _Places) -> Diagnostic:
    said = message.said
    span = places.source(said.place) if said.place is not None else None
    notes = tuple(
        Note(note.words, places.source(note.place) if note.place is not None else None) for note in message.notes
    )
    return Diagnostic(said.words, span, _SEVERITIES[said.kind], REFUSED_BY_PASS, notes)
