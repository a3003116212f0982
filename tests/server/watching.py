"""A client that edits a document and watches it: its diagnostics, some previews, its lenses.

It asks again for what the server says may be another, and for nothing else. What it has then must be what a new server
tells of the text.
"""

from __future__ import annotations

from random import Random
from typing import Final, TypeAlias

from fathom.context import Context
from fathom_server.features.lenses import Lens, lenses
from fathom_server.features.preview import preview
from fathom_server.features.stages import stages
from fathom_server.model.document import Document, TextChange
from fathom_server.model.lowered import stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.settings import Settings
from fathom_server.session.opened import OpenDocument
from tests.hunts.fuzz.check import looked_at

URI: Final = "file:///watched.mlir"
WATCHED: Final = ("source", "convert-scf-to-cf", "llvm-dialect")

Preview: TypeAlias = "tuple[object, ...]"


class Client:
    """A client of one document, beside the server's state of it."""

    def __init__(self, text: str, context: Context, settings: Settings) -> None:
        self.opened = OpenDocument(Document(URI, 0, text, context, settings))
        self.previews: dict[tuple[str, str], Preview] = {}
        self.lenses: list[Lens] = []

    # ---- what it does

    def edit(self, changes: list[TextChange]) -> None:
        """Does as the session does when a client sends edits (`session/session.py`), and as the client does then."""
        document = self.opened.document
        for change in changes:
            self.opened.changed(document.apply(change))
        document.version += 1
        self.check_stale()
        self.opened.settle()
        self.take_notice()
        self.ask_for_lenses()

    def configure(self, settings: Settings) -> None:
        self.opened.document.configure(settings)
        self.opened.lower_anew()
        self.take_notice()

    def watch(self, stage: str, function: str) -> None:
        """Opens a preview."""
        self.opened.attention.previews.shown((stage, function, False), self.opened.document.snapshot())
        self.previews[stage, function] = shown(self.opened, stage, function)

    def take_notice(self) -> None:
        """Asks again for the previews that may be others."""
        previews = self.opened.attention.previews
        changed = previews.others(self.opened.document.snapshot()) if previews else set[str]()
        for stage, function in self.previews:
            if function in changed:
                self.previews[stage, function] = shown(self.opened, stage, function)

    def ask_for_lenses(self) -> None:
        self.opened.attention.stuck = 0
        self.lenses = lenses(self.opened.document.snapshot())

    def work(self, steps: int | None = None) -> None:
        """Has the server do so much of what it does in the background, or all of it."""
        opened = self.opened
        for _ in range(steps or 0):
            if opened.to_lower.has_first or (opened.has_work and not opened.to_check):
                opened.lower_first()
            elif opened.to_check:
                opened.check_first()
        if steps is None:
            looked_at(opened)
        if opened.attention.stuck and not opened.has_work:
            self.ask_for_lenses()

    # ---- what must hold

    def check_stale(self) -> None:
        """What is known of an item and not true any more is to be found out again."""
        opened, snapshot = self.opened, self.opened.document.snapshot()
        waits = {*opened.to_settle, *opened.to_check}
        for item in opened.document.memory.items(diagnostics):
            assert item in waits or diagnostics.is_known(snapshot, item), item.text

    def check_lowered(self) -> None:
        """Where nothing is left to be done, all that is known of the lowering of items is true."""
        opened, snapshot = self.opened, self.opened.document.snapshot()
        for item in opened.document.memory.items(stalled):
            assert stalled.is_known(snapshot, item), item.text

    def check_like_new(self) -> None:
        """All that it has is what a new server tells."""
        document = self.opened.document
        new = OpenDocument(Document(URI, 0, document.tree.text, document.context, document.settings))
        new.attention.asked = self.opened.attention.asked
        looked_at(new)
        for is_wanted in (False, True):
            assert found(self.opened, is_wanted) == found(new, is_wanted), document.tree.text
        for (stage, function), had in self.previews.items():
            assert had == shown(new, stage, function), (stage, function, document.tree.text)
        assert self.lenses == lenses(new.document.snapshot()), document.tree.text


def found(opened: OpenDocument, hints: bool) -> list[object]:
    """The diagnostics of a document, with hints or without."""
    return [
        (index, [(d.message, d.span, d.severity, d.code, [(n.message, n.span) for n in d.notes]) for d in told])
        for index, told in opened.found(with_unused=hints, with_deprecated=hints)
        if told
    ]


def shown(opened: OpenDocument, stage: str, function: str) -> Preview:
    """A preview as a client has it."""
    snapshot = opened.document.snapshot()
    at = next((candidate for candidate in stages(snapshot) if candidate.id == stage), None)
    if at is None:
        return ()
    made = preview(snapshot, at, function)
    links = [(link.source, link.target) for link in made.links]
    return made.text, links, made.problem, [(d.message, d.span) for d in made.diagnostics]


def some_changes(document: Document, chance: Random, pieces: tuple[str, ...]) -> list[TextChange]:
    """An edit, of lines mostly; sometimes of two places at once, or of a few characters."""
    tree, changes = document.tree, list[TextChange]()
    first = chance.randint(0, tree.line_count)
    last = min(chance.choice((first, first, first, first + 1, first + 1, first + 4)), tree.line_count)
    typed = "".join(chance.choice(pieces) for _ in range(chance.choice((0, 1, 1, 1, 2))))
    if chance.random() < 0.3 and tree.line_count:
        line = chance.randrange(tree.line_count)
        width = len(tree.line(line).rstrip("\n"))
        start = chance.randint(0, width)
        end = min(width, start + chance.choice((0, 0, 1, 3)))
        typed = chance.choice(("", " ", "i64", "@g", "%x", "}", "x", "private ", "// "))
        changes.append(TextChange(typed, (line, start), (line, end)))
    else:
        changes.append(TextChange(typed, (first, 0), (last, 0)))
    if chance.random() < 0.2:
        changes.append(TextChange(chance.choice(pieces), (0, 0), (0, 0)))
    return changes
