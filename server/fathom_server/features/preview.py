"""Previews: a function or the whole document at a stage of the pipeline, with a map between its text and the source."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Final

from fathom.diagnostics import Diagnostic, alone
from fathom.ir.operation import Span
from fathom.ir.printer import Link, linked_text
from fathom.ir.printing_flags import SHOWN_FLAGS
from fathom.llvm.process import begin, is_up
from fathom.records import record, replace
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom.text.beginnings import TextTooLong
from fathom.verify.printing import flags_for
from fathom_server.features.joined import MOST_LINES, is_soon_joined, items_joined, joined
from fathom_server.features.rendering import LONGEST_LINE, Rendered, cut
from fathom_server.features.stages import CODE, LLVM_DIALECT, LLVM_IR, PreviewStage
from fathom_server.features.tool_stages import Handed, by_tool, handed, handed_part, handed_split, runs_of
from fathom_server.model.code import Tracked, code_for, how_made, to_make, tracked, tracked_part, tracked_split
from fathom_server.model.locations import locator
from fathom_server.model.lowered import LONG, LoweredModule, ask_basis, begun, lowered, split_lowered, takes_long
from fathom_server.model.modules import Say, in_one_line, placed, splits
from fathom_server.model.parts import Part, is_big, part_at
from fathom_server.model.queries import query
from fathom_server.model.scoping import Unit, find, unit_of
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.tools import ToolStage

_LOGGER = logging.getLogger(__name__)

MOST_CODE: Final = 50_000
"""So many lines of what LLVM made are shown."""
SECONDS: Final = 0.4
"""Of the processor, after which what there is of a long document is shown for the first time."""
TOO_LONG: Final = f"a file of more than {MOST_LINES} lines is shown by functions only"


@record
class Preview:
    """A text with its links to the source, in the order of that, or why there is none; both where the text does not say
    all that it should. Of the whole document if `function` is None, and of a part of the function if `part` says where
    that stands, and `around` where the function does."""

    stage: PreviewStage
    function: str | None
    text: str | None
    links: tuple[Link, ...] = ()
    problem: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    part: Span | None = None
    around: Span | None = None
    goes_on: bool = False


def preview(
    snapshot: Snapshot,
    stage: PreviewStage,
    function: str | None,
    place: int | None = None,
    say: Say = in_one_line,
    *,
    seconds: float | None = None,
) -> Preview:
    """The preview of a stage; of the whole document if `function` is None, and of the part around `place`, an offset of
    the document, if that is given and the function is big. A problem is said by `say`. With `seconds`, a long document
    that was not shown yet is shown as far as it was made in so much time of the processor; then the preview `goes_on`
    when it is asked for again. Never raises."""
    try:
        if function is None:
            return _of_document(snapshot, stage, say, seconds)
        return _preview(snapshot, stage, function, part_of(snapshot, function, place), say)
    except TextTooLong as problem:
        return Preview(stage, function, None, problem=str(problem))
    except Exception as fault:
        _LOGGER.exception("preview of %s at %s", function or "the file", stage.id)
        return impossible(stage, function, place, f"{type(fault).__name__}: {fault}")


def preview_so_far(snapshot: Snapshot, stage: PreviewStage, function: str | None, place: int | None = None) -> Preview:
    """The preview for a client that asks again as long as it goes on."""
    return preview(snapshot, stage, function, place, seconds=SECONDS)


def impossible(stage: PreviewStage, function: str | None, _place: int | None, reason: str) -> Preview:
    """What is shown instead of a preview, because of a fault of Fathom's own."""
    return Preview(stage, function, None, problem=f"a fault in Fathom: {reason}")


def part_of(snapshot: Snapshot, function: str | None, place: int | None) -> Part | None:
    """The part of a big function around a place, an offset of the document. None where the whole of it is to be shown:
    it is not big, or no place is given. Never raises."""
    symbol = find(snapshot, function) if function is not None and place is not None else None
    if symbol is None or place is None or not is_big(symbol):
        return None
    try:
        return part_at(snapshot, symbol, place - snapshot.start_of(symbol.item))
    except Exception:
        _LOGGER.exception("the part of %s at %d", function, place)
        return None


def ahead(
    snapshot: Snapshot, stage: PreviewStage, function: str | None, place: int | None = None
) -> Callable[[], None] | None:
    """What a preview would wait for that takes longer than a key may: a process with LLVM in it, or what LLVM or a tool
    makes."""
    if stage.tool is None and stage.id != LLVM_IR and stage.id not in CODE:
        return None
    if stage.tool is None and not is_up():
        return begin
    if stage.id == LLVM_IR:
        return None
    try:
        waiting = [*_to_make(snapshot, stage, function, place)]
    except Exception:
        return None  # The preview meets it again, and says so.

    def make() -> None:
        for each in waiting:
            each()

    return make if waiting else None


def _to_make(
    snapshot: Snapshot, stage: PreviewStage, function: str | None, place: int | None
) -> Iterator[Callable[[], None]]:
    symbol = find(snapshot, function) if function is not None else None
    part = part_of(snapshot, function, place)
    if stage.tool is not None:
        yield from runs_of(stage.tool, _to_hand(snapshot, function, part), snapshot.uri)
        return
    if part is not None:
        known = [tracked_part(snapshot, part)]
    elif function is None:
        known = [tracked_split(snapshot, split) for split in splits(snapshot)]
    else:
        known = [tracked(snapshot, unit_of(symbol))] if symbol is not None and not symbol.is_open else []
    for each in known:
        if each.translation is not None:
            make = to_make(each.translation, how_made(snapshot).wanted, CODE[stage.id])
            if make is not None:
                yield make


def _to_hand(snapshot: Snapshot, function: str | None, part: Part | None) -> list[Handed]:
    """What a tool is handed for a preview."""
    if part is not None:
        return [handed_part(snapshot, part)]
    if function is None:
        short = snapshot.tree.line_count <= MOST_LINES
        return [handed_split(snapshot, split) for split in splits(snapshot)] if short else []
    symbol = find(snapshot, function)
    return [handed(snapshot, unit_of(symbol))] if symbol is not None and not symbol.is_open else []


def items_beside(
    snapshot: Snapshot, stage: PreviewStage, function: str | None, _place: int | None = None
) -> tuple[Item, ...] | None:
    """The items that a preview is about which takes longer than a key may; None of any other, and of what a tool
    makes."""
    if stage.tool is not None:
        return None
    if function is None:
        return None if is_soon_joined(snapshot, stage) else items_joined(snapshot, stage)
    symbol = find(snapshot, function)
    return (symbol.item,) if symbol is not None and takes_long(snapshot, symbol.item) else None


@query(keep=64)
def given_beside(_snapshot: Snapshot, _unit: Unit, _stage: str) -> bool:
    """Whether a preview that was made in the process beside the server, and given, is that of this version: if that is
    remembered."""
    return False


def learn(snapshot: Snapshot, stage: str, function: str) -> None:
    """Takes note of a preview of a big function that was made elsewhere, and given."""
    symbol = find(snapshot, function)
    if symbol is not None and takes_long(snapshot, symbol.item):
        unit = unit_of(symbol)
        snapshot.memory.learn(given_beside, unit, stage, answer=True, follows_from=lambda: ask_basis(snapshot, unit))


def has_changed(snapshot: Snapshot, stage: PreviewStage, function: str) -> bool:
    """Whether the preview of a function that was given last may be another in this version, its map aside."""
    symbol = find(snapshot, function)
    if symbol is None:
        return True
    if stage.tool is not None:
        return not handed.is_known(snapshot, unit_of(symbol))
    if takes_long(snapshot, symbol.item):
        return not given_beside.is_known(snapshot, unit_of(symbol), stage.id)
    if stage.id in CODE:
        return not tracked.is_known(snapshot, unit_of(symbol))
    return not rendered.is_known(snapshot, unit_of(symbol), stage)


def has_moved(snapshot: Snapshot, stage: PreviewStage, function: str, first: int) -> bool:
    """Whether what the preview of a function shows, which is that of this version, may stand elsewhere in the document
    since an edit of the items from one on: it, or a symbol that it was lowered with."""
    symbol = find(snapshot, function)
    if symbol is None:
        return True
    known = tracked.remembered(snapshot, unit_of(symbol)) if stage.id in CODE else None
    if stage.tool is not None:
        known = handed.remembered(snapshot, unit_of(symbol))
    made = known or rendered.remembered(snapshot, unit_of(symbol), stage)
    shown = made.layout.items if made is not None else ()
    return any(snapshot.tree.index_of(item) >= first for item in (symbol.item, *shown))


def _preview(snapshot: Snapshot, stage: PreviewStage, function: str, part: Part | None, say: Say) -> Preview:
    if part is not None:
        shown = _shown_part(snapshot, part, stage)
    else:
        symbol = find(snapshot, function)
        if symbol is None or symbol.is_open:
            return Preview(stage, function, None, problem=f"there is no function @{function}")
        shown = _shown_unit(snapshot, unit_of(symbol), stage)
    where = around = None
    if part is not None and part.span is not None:
        where, around = shown.layout.place_all(snapshot, (part.span, part.around))
    return replace(_placed(snapshot, stage, shown, say), function=function, part=where, around=around)


def _placed(snapshot: Snapshot, stage: PreviewStage, shown: Rendered, say: Say) -> Preview:
    """A stage as text, at its places in the document."""
    diagnostics = tuple(placed(diagnostic, shown.layout, snapshot) for diagnostic in shown.diagnostics)
    if shown.problem is not None:
        problem = say(placed(shown.problem, shown.layout, snapshot), snapshot)
        return Preview(stage, None, None, problem=problem, diagnostics=diagnostics)
    links = shown.layout.place_all(snapshot, [link.source for link in shown.links])
    moved = map(Link, links, (link.target for link in paced(shown.links)))
    ordered = sorted(moved, key=lambda link: (link.source.start, link.target.start))
    problem = say(placed(shown.lacks, shown.layout, snapshot), snapshot) if shown.lacks is not None else None
    return Preview(stage, None, shown.text, tuple(ordered), problem, diagnostics)


def _of_document(snapshot: Snapshot, stage: PreviewStage, say: Say, seconds: float | None) -> Preview:
    """The whole document, or what was made of it in so many seconds."""
    if snapshot.tree.line_count > MOST_LINES:
        return Preview(stage, None, None, problem=TOO_LONG)
    if seconds is not None and snapshot.tree.line_count > LONG and not snapshot.tree.dividers:
        shown = joined(snapshot, None, stage, seconds=seconds)
        if shown is not None:
            return replace(_placed(snapshot, stage, shown, say), goes_on=shown.goes_on)
    return _whole(snapshot, stage, say)


def _whole(snapshot: Snapshot, stage: PreviewStage, say: Say) -> Preview:
    """The whole document: the splits one after the other, as tools print them with `--split-input-file`."""
    previews = [_placed(snapshot, stage, _shown_split(snapshot, split, stage), say) for split in splits(snapshot)]
    diagnostics = tuple(diagnostic for preview in previews for diagnostic in preview.diagnostics)
    problem = next((preview.problem for preview in previews if preview.text is None), None)
    if problem is not None:
        return Preview(stage, None, None, problem=problem, diagnostics=diagnostics)
    lacks = next((preview.problem for preview in previews if preview.problem is not None), None)
    if len(previews) == 1:
        return replace(previews[0], diagnostics=diagnostics)
    divider = f"{_COMMENTS[stage.language]} -----\n"
    text = ""
    links: list[Link] = []
    for preview in previews:
        text += divider if preview is not previews[0] else ""
        start = len(text)
        links += (Link(source, Span(start + at.start, start + at.end)) for source, at in paced(preview.links))
        text += preview.text or ""
    return Preview(stage, None, text, tuple(links), lacks, diagnostics)


_COMMENTS: Final = {"mlir": "//", "llvm": ";", "asm": "//"}
"""How a line begins that says nothing."""


def _shown_part(snapshot: Snapshot, part: Part, stage: PreviewStage) -> Rendered:
    if stage.tool is not None:
        return _by_tool(handed_part(snapshot, part), stage.tool)
    if stage.id in CODE:
        return _code(snapshot, tracked_part(snapshot, part), stage)
    return _rendered_part(snapshot, part, stage)


def _shown_unit(snapshot: Snapshot, unit: Unit, stage: PreviewStage) -> Rendered:
    if stage.tool is not None:
        return _by_tool(handed(snapshot, unit), stage.tool)
    if stage.id in CODE:
        return _code(snapshot, tracked(snapshot, unit), stage)
    return rendered(snapshot, unit, stage)


def _shown_split(snapshot: Snapshot, split: Item | None, stage: PreviewStage) -> Rendered:
    if stage.tool is not None:
        return _by_tool(handed_split(snapshot, split), stage.tool)
    if stage.id in CODE:
        return _code(snapshot, tracked_split(snapshot, split), stage)
    return joined(snapshot, split, stage) or rendered_split(snapshot, split, stage)


@query(keep=64)
def rendered(snapshot: Snapshot, unit: Unit, stage: PreviewStage) -> Rendered:
    """A unit at a stage, as text; it is the same wherever its item stands, but for lines in it."""
    return _rendered(snapshot, lowered(snapshot, unit, stage.passes, False), stage)


@query(keep=64)
def rendered_split(snapshot: Snapshot, split: Item | None, stage: PreviewStage) -> Rendered:
    """A split of the document at a stage, as text."""
    return _rendered(snapshot, split_lowered(snapshot, split, stage.passes), stage)


def _rendered_part(snapshot: Snapshot, part: Part, stage: PreviewStage) -> Rendered:
    """A part at a stage, as text; its module is given up."""
    return _rendered(snapshot, begun(snapshot, part.module, stage.passes), stage)


def _rendered(snapshot: Snapshot, made: LoweredModule, stage: PreviewStage) -> Rendered:
    module, lowering = made.module, made.lowering
    if module.problem is not None:
        return Rendered(module.layout, "", (), alone(module.problem), ())
    is_end = stage.id in (LLVM_DIALECT, LLVM_IR)
    diagnostics = tuple(map(alone, lowering.verdict().findings if is_end else lowering.diagnostics))
    # LLVM IR needs all of the module lowered; any other stage is shown with what was left behind.
    fatal = (d for d in lowering.diagnostics if d.severity == "error" and d.fatal)
    stop = next(iter(diagnostics) if stage.id == LLVM_IR else fatal, None)
    if stop is not None:
        return Rendered(module.layout, "", (), alone(stop), diagnostics)
    if stage.id == LLVM_IR:
        return _llvm_ir(snapshot, made)
    flags = SHOWN_FLAGS if lowering.is_valid else flags_for(module.inner, SHOWN_FLAGS)
    text, links = linked_text(module.inner, flags)
    return Rendered(module.layout, text, links, None, diagnostics)


def _llvm_ir(snapshot: Snapshot, made: LoweredModule) -> Rendered:
    module, locate = made.module, locator(snapshot, made.module.layout)
    translated = made.lowering.translated(module.inner, shown=LONGEST_LINE, locate=locate)
    diagnostics = tuple(map(alone, translated.told))
    if translated.error is not None:
        return Rendered(module.layout, "", (), alone(translated.error), diagnostics)
    translation = translated.translation
    sources = ((span,) if span is not None else () for span in translation.line_spans)
    text, links = cut(translation.text.splitlines(keepends=True), sources)
    lacks = alone(translation.unsaid[0]) if translation.unsaid else None
    return Rendered(module.layout, text, links, None, diagnostics, lacks)


def _code(snapshot: Snapshot, of: Tracked, stage: PreviewStage) -> Rendered:
    """What LLVM makes of a module. It is not remembered with the version: what was made is kept elsewhere."""
    if of.translation is None:
        return Rendered(of.layout, "", (), of.problem, of.told)
    made = code_for(of.translation, how_made(snapshot).wanted, CODE[stage.id])
    diagnostics = (*of.told, *made.told)
    if made.error is not None:
        return Rendered(of.layout, "", (), made.error, diagnostics)
    lines = made.text.splitlines(keepends=True)
    lacks = of.translation.unsaid[0] if of.translation.unsaid else None
    if len(lines) > MOST_CODE:
        lacks = Diagnostic(f"of {len(lines)} lines the first {MOST_CODE} are shown")
        del lines[MOST_CODE:]
    text, links = cut(lines, made.sources)
    return Rendered(of.layout, text, links, None, diagnostics, lacks)


def _by_tool(given: Handed, stage: ToolStage) -> Rendered:
    """What a tool makes of a module. It is not remembered with the version: what was made is kept elsewhere."""
    shown = by_tool(stage, given)
    return Rendered(given.layout, shown.text, shown.links, shown.problem, shown.diagnostics)
