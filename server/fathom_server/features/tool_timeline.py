"""What each pass of a tool of other people did: its timeline, differences of its stages, and who changed which line.

A tool tells texts, not which operation became which: so lines are compared, without the numbers in names; of two
stages, operations, as far as Fathom reads them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from fathom.recording.matching import compared
from fathom.recording.stages import without_names
from fathom.recording.telling import Row
from fathom.records import record
from fathom_server.features.preview import MOST_LINES, TOO_LONG
from fathom_server.features.stages import SOURCE, PreviewStage, stages
from fathom_server.features.told import Asked, Text, Told, Who, changes_of
from fathom_server.features.tool_stages import Handed, Shown, all_runs_of, by_tool, handed, handed_split
from fathom_server.model.modules import in_one_line, placed, splits
from fathom_server.model.scoping import find, unit_of

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Span
    from fathom_server.model.snapshot import Snapshot

MOST_COMPARED: Final = 4_000
"""Of a text of more lines nobody is told who changed them: to compare them takes long."""
_SPACE: Final = re.compile(r"\s+")


@record
class ToolPasses:
    """The stages of a tool, what it was handed, and what it made at each of them; or a `problem`, why there is
    nothing."""

    stages: tuple[PreviewStage, ...]
    given: Handed | None
    made: tuple[Shown, ...]
    problem: str = ""

    def at(self, stage: PreviewStage) -> Shown | None:
        """What it made at a stage of its own; None of the source."""
        return next((made for each, made in zip(self.stages, self.made, strict=True) if each.id == stage.id), None)

    def text(self, stage: PreviewStage) -> str:
        """The text of a stage of the tool, or of the source."""
        made = self.at(stage)
        return made.text if made is not None else self.given.text if self.given is not None else ""


def stages_of_tool(snapshot: Snapshot, name: str) -> tuple[PreviewStage, ...]:
    """The stages of a tool, in their order."""
    return tuple(stage for stage in stages(snapshot) if stage.tool is not None and stage.tool.tool.name == name)


def ahead(snapshot: Snapshot, name: str, function: str | None) -> Callable[[], None] | None:
    """What has the tool run, if it has to."""
    given = _handed(snapshot, function)
    listed = [stage.tool for stage in stages_of_tool(snapshot, name) if stage.tool is not None]
    return all_runs_of(listed, given, snapshot.uri) if isinstance(given, Handed) and listed else None


def passes(snapshot: Snapshot, name: str, function: str | None) -> ToolPasses:
    """What a tool made of a function, or of the first part of the document; it runs before it is asked for."""
    listed, given = stages_of_tool(snapshot, name), _handed(snapshot, function)
    if isinstance(given, str):
        return ToolPasses(listed, None, (), given)
    made = tuple(by_tool(stage.tool, given) for stage in listed if stage.tool is not None)
    first = made[0].problem if made else None
    if first is None:
        return ToolPasses(listed, given, made)
    return ToolPasses(listed, given, made, in_one_line(placed(first, given.layout, snapshot), snapshot))


def _handed(snapshot: Snapshot, function: str | None) -> Handed | str:
    if function is None:
        if snapshot.tree.line_count > MOST_LINES:
            return TOO_LONG
        return handed_split(snapshot, next(iter(splits(snapshot)), None))
    symbol = find(snapshot, function)
    if symbol is None or symbol.is_open:
        return f"there is no function @{function}"
    return handed(snapshot, unit_of(symbol))


def timeline(known: ToolPasses) -> Iterator[tuple[str, Row]]:
    """The passes, up to the first that failed."""
    assert known.given is not None, "there is no problem"
    text, count = known.given.text, len({link.target.start for link in known.given.links})
    for index, (stage, made) in enumerate(zip(known.stages, known.made, strict=True)):
        failed = made.problem is not None
        after = count if failed else made.operations
        has_changed = not failed and _plain(made.text) != _plain(text)
        name = stage.tool.step.name if stage.tool is not None else stage.id
        yield stage.id, Row(index, name, "", 1, 0.0, count, after, has_changed, failed, 0, 0)
        if failed:
            return
        text, count = made.text, after


def blame(known: ToolPasses, stage: PreviewStage) -> list[PreviewStage | None] | None:
    """Of each line of a stage the stage behind the pass that last changed it, None for what is as it was handed; None
    of a text that is too long."""
    assert known.given is not None, "there is no problem"
    lines, owners = _plain(known.given.text), [None] * len(_plain(known.given.text))
    whose: Sequence[PreviewStage | None] = owners
    for each, made in zip(known.stages, known.made, strict=True):
        after = _plain(made.text)
        if max(len(lines), len(after)) > MOST_COMPARED:
            return None
        changed: list[PreviewStage | None] = [each] * len(after)
        for block in SequenceMatcher(None, lines, after, autojunk=False).get_matching_blocks():
            changed[block.b : block.b + block.size] = whose[block.a : block.a + block.size]
        lines, whose = after, changed
        if each.id == stage.id:
            break
    return [*whose]


def _plain(text: str) -> list[str]:
    """The lines of a text, without what the printer makes up and how far in they stand."""
    return [_SPACE.sub(" ", line.strip()) for line in without_names(text).splitlines()]


def tool_of(*meant: PreviewStage | None) -> str | None:
    """The tool that stages are of; None if they are Fathom's."""
    return next((stage.tool.tool.name for stage in meant if stage is not None and stage.tool is not None), None)


def answered(snapshot: Snapshot, asked: Asked, question: str) -> Told:
    """The answer to a question about a tool, which it is asked by its name."""
    known = passes(snapshot, asked.tool or "", asked.function)
    meant = [stage for stage in (asked.stage, asked.other) if stage is not None]
    if any(stage.id != SOURCE and tool_of(stage) != asked.tool for stage in meant):
        return Told(asked, "stages of a tool are compared with each other, and with the source")
    if known.given is None or known.problem:
        return Told(asked, known.problem)
    failed = next((made.problem for stage in meant if (made := known.at(stage)) is not None and made.problem), None)
    if failed is not None:
        return Told(asked, in_one_line(placed(failed, known.given.layout, snapshot), snapshot))
    match question, asked.stage, asked.other:
        case "timeline", _, _:
            return Told(asked, passes=tuple(timeline(known)))
        case "difference", PreviewStage() as before, PreviewStage() as after:
            return _difference(asked, known, before, after, snapshot.context)
        case "blame", PreviewStage() as stage, _:
            whose = blame(known, stage)
            if whose is None:
                return Told(asked, f"of more than {MOST_COMPARED:,} lines it is not known who changed them")
            lines = tuple(_tool_pass(each) if each is not None else None for each in whose)
            return Told(asked, texts=(Text(stage.id, known.text(stage)),), lines=lines)
        case _:
            return Told(asked, f"what {asked.tool} does within a pass is not known")


def _difference(asked: Asked, known: ToolPasses, before: PreviewStage, after: PreviewStage, context: Context) -> Told:
    """Two stages, and what became of each operation between them, as far as Fathom reads both and can tell it."""
    texts = Text(before.id, known.text(before)), Text(after.id, known.text(after))
    found = compared(texts[0].text, texts[1].text, context, (_Origins(known, before), _Origins(known, after)))
    if found is None:
        return Told(asked, texts=texts)
    return Told(asked, texts=texts, changes=changes_of(found.differences, found.before, found.after))


class _Origins:
    """Where in the source what stands in a part of a stage comes from."""

    def __init__(self, known: ToolPasses, stage: PreviewStage) -> None:
        made = known.at(stage)
        links = made.links if made is not None else known.given.links if known.given is not None else ()
        self._links = sorted(links, key=lambda link: link.target.start)
        self._starts = [link.target.start for link in self._links]

    def __call__(self, span: Span) -> Span | None:
        at = bisect_left(self._starts, span.start)
        return self._links[at].source if at < len(self._links) and self._starts[at] < span.end else None


def _tool_pass(stage: PreviewStage) -> Who:
    name = stage.tool.step.name if stage.tool is not None else stage.id
    return Who(name, name, "pass", "", stage.id)
