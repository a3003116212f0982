"""What must hold of any buffer at all, after any edit: nothing raises, nothing takes long, and what was learned from
other texts or from former versions shows nowhere."""

from __future__ import annotations

import gc
import logging
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from fathom.context import Context
from fathom.diagnostics import INTERNAL
from fathom.slices import Slices
from fathom_server.features.actions import actions_at
from fathom_server.features.hover import hover
from fathom_server.features.navigation import definition, references
from fathom_server.features.preview import preview
from fathom_server.features.stages import stages
from fathom_server.features.symbols import outline
from fathom_server.model import elaboration
from fathom_server.model.document import Document
from fathom_server.model.lowered import stalled
from fathom_server.model.settings import Settings
from fathom_server.session.collector import let_collect
from fathom_server.session.opened import OpenDocument
from fathom_server.session.turns import SLICE
from tests.hunts.fuzz.buffers import an_edit, mutated
from tests.syntax.test_incremental import offset, position
from tests.syntax.trees import structure

MOST = 20_000
"""No buffer grows beyond so many characters."""


@dataclass
class Report:
    """What came of some buffers. In seconds, with the buffers' seeds: the longest step that the server takes itself, an
    edit or a question with all that follows; the longest slice of one, during which it would answer nobody else; and
    the longest step that it leaves to the process beside it."""

    buffers: int = 0
    edits: int = 0
    slowest: tuple[float, int] = (0.0, -1)
    slowest_slice: tuple[float, int] = (0.0, -1)
    slowest_beside: tuple[float, int] = (0.0, -1)
    failures: list[str] = field(default_factory=list[str])


class _Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(self.format(record))


ALL_SHOWN = Settings(lowering_diagnostics="always")
"""What the lowering finds is shown whole."""


@contextmanager
def faults_logged() -> Generator[list[str]]:
    """What the server logs as errors, which a user may never see, in the meantime."""
    kept, logger = _Kept(), logging.getLogger("fathom_server")
    logger.addHandler(kept)
    try:
        yield kept.messages
    finally:
        logger.removeHandler(kept)


def check_buffer(corpus: Sequence[str], seed: int, context: Context, report: Report) -> None:
    """Opens a mutated text, and edits it some times; items count as big from another size on in some of the runs."""
    usual = elaboration.LIVE_FROM
    try:
        with faults_logged() as faults:
            check_edits(corpus, seed, context, report)
    finally:
        elaboration.LIVE_FROM = usual  # type: ignore[misc]
    assert not faults, (seed, faults[0][-3000:])


def check_edits(corpus: Sequence[str], seed: int, context: Context, report: Report) -> None:
    """Opens a mutated text, edits it some times, and takes some of the edits back."""
    chance = Random(seed)
    elaboration.LIVE_FROM = chance.choice((1, 64))  # type: ignore[misc]
    text = mutated(chance.choice(corpus), corpus, chance)[:MOST]
    report.buffers += 1
    opened = timed(report, seed, lambda: looked_at_here(OpenDocument(new_document(text, context))))
    timed_beside(report, seed, lambda: looked_at_beside(opened))
    done: list[tuple[int, int, str]] = []
    for step in range(chance.choice((1, 2, 4, 8))):
        undone = done.pop() if done and chance.random() < 0.2 else None
        first, last, inserted = undone or an_edit(text, corpus, chance)
        start, end = position(text, first), position(text, last)
        if offset(text, start) != first or offset(text, end) != last or len(text) + len(inserted) > MOST:
            done.clear()
            continue  # Between the two characters of a line end is no position.
        if undone is None:
            done.append((first, first + len(inserted), text[first:last]))
        text = text[:first] + inserted + text[last:]
        report.edits += 1
        timed(report, seed, lambda start=start, end=end, inserted=inserted: edited_here(opened, start, end, inserted))
        timed_beside(report, seed, lambda: looked_at_beside(opened))
        assert opened.document.tree.text == text, (seed, step)
        if chance.random() < 0.5:
            timed(report, seed, lambda at=first: asked_here(opened, at))
            timed_beside(report, seed, lambda: asked_beside(opened))
    check_like_new(opened, seed)


def check_like_new(opened: OpenDocument, label: object) -> None:
    """A document says what a new one of its text says. `label` is shown when it does not."""
    text = opened.document.tree.text
    fresh = looked_at(OpenDocument(new_document(text, Context())))
    assert structure(opened.document.tree) == structure(fresh.document.tree), (label, text)
    assert shown(opened) == shown(fresh), (label, text)
    faults = [d.message for _, diagnostics in opened.found() for d in diagnostics if d.code == INTERNAL]
    assert not faults, (label, text, faults)


def new_document(text: str, context: Context, settings: Settings = ALL_SHOWN) -> Document:
    return Document("file:///a.mlir", 0, text, context, settings)


def looked_at(opened: OpenDocument) -> OpenDocument:
    """A document of which everything was looked at that its diagnostics come from."""
    return looked_at_beside(looked_at_here(opened))


def looked_at_here(opened: OpenDocument) -> OpenDocument:
    """A document of which everything was looked at that the server looks at itself."""
    while opened.to_check:
        opened.check_first()
    while opened.has_work:
        opened.lower_first()
    return opened


def looked_at_beside(opened: OpenDocument) -> OpenDocument:
    """A document of which everything was looked at too that the server has looked at in the process beside it."""
    while opened.to_lower_beside:
        item = opened.to_lower_beside.next
        opened.lower(item)
        opened.to_lower_beside.remove(item)
    return opened


def edited(opened: OpenDocument, start: tuple[int, int], end: tuple[int, int], inserted: str) -> OpenDocument:
    """A document after an edit, of which everything was looked at."""
    return looked_at_beside(edited_here(opened, start, end, inserted))


def edited_here(opened: OpenDocument, start: tuple[int, int], end: tuple[int, int], inserted: str) -> OpenDocument:
    """Does as the session does when a client sends an edit (`session/session.py`)."""
    opened.changed(opened.document.edit(start, end, inserted))
    opened.settle()
    return looked_at_here(opened)


def shown(opened: OpenDocument) -> list[object]:
    """What a client is shown as wrong."""
    return [
        (index, [(d.message, d.span, d.severity, [(n.message, n.span) for n in d.notes]) for d in diagnostics])
        for index, diagnostics in opened.found()
    ]


def asked_here(opened: OpenDocument, at: int) -> OpenDocument:
    """Makes every request that the server answers itself, at a place."""
    snapshot = opened.document.snapshot()
    at = min(at, snapshot.tree.length)
    hover(snapshot, at)
    definition(snapshot, at)
    references(snapshot, at, True)
    actions_at(snapshot, max(at - 3, 0), at, ())
    outline(snapshot)
    return opened


def asked_beside(opened: OpenDocument) -> OpenDocument:
    """Makes the requests about the whole document, which the server has answered in the process beside it."""
    snapshot = opened.document.snapshot()
    for stage in stages(snapshot):
        preview(snapshot, stage, None)
    for item in list(snapshot.tree.items)[:3]:
        stalled(snapshot, item)
    return opened


def timed_beside(report: Report, seed: int, step: Callable[[], OpenDocument]) -> None:
    """Takes the time of a step of the process beside the server, which answers nobody meanwhile."""
    began = time.process_time()
    step()
    report.slowest_beside = max(report.slowest_beside, (time.process_time() - began, seed))


def timed(report: Report, seed: int, step: Callable[[], OpenDocument]) -> OpenDocument:
    """Takes the time of a step, which is done in slices as in the server, without what other programs take from it."""
    slices = Slices(step)
    gc.disable()
    began = last = time.process_time()
    is_over = False
    while not is_over:
        is_over = slices.go_on(SLICE)
        last, before = time.process_time(), last
        report.slowest_slice = max(report.slowest_slice, (last - before, seed))
    let_collect()
    report.slowest = max(report.slowest, (last - began, seed))
    return slices.result()
