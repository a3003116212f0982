"""The state of the server: the open documents, the settings, the worker, and the order in which work is done.

Work runs on the event loop in short slices. It stands back while someone types: what an edit changed comes first, then
what the pipeline makes of it, then the rest of the file. What takes longer than a slice for one item, to lower a big
function, is done in a process of its own, which begins when typing pauses and begins anew after an edit. What concerns
the text of a large document, or a large item, is done in slices that stand still wherever they are (`turns.py`).
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.context import Context, default_context
from fathom.descriptions.files import DialectFile
from fathom.records import record
from fathom.syntax.tree import Item
from fathom_server.model.document import Document, TextChange
from fathom_server.model.lowering import is_reported
from fathom_server.model.settings import Settings, updated
from fathom_server.model.snapshot import Snapshot
from fathom_server.session import warming
from fathom_server.session.aside import Aside, Failed, Interrupted, NothingToDo
from fathom_server.session.memory import MUCH, give_back
from fathom_server.session.messages import Work
from fathom_server.session.opened import SHORT, OpenDocument, is_large
from fathom_server.session.runner import Runner
from fathom_server.session.turns import Turns, tell

if TYPE_CHECKING:
    from fathom_server.features.lowered_lines import Found

SLICE: Final = 0.004
"""Seconds of background work before the loop gets to see to requests."""
PAUSE: Final = 0.05
"""Seconds without an edit before edited functions are lowered, and looked at if that takes long, and previews
announced."""
REST: Final = 0.2
"""Seconds without an edit before work in the process beside the server begins: longer than between two keys of one who
types."""
QUIET: Final = 0.4
"""Seconds without an edit before the rest of a file is worked on."""
BREATH: Final = 0.002
"""Seconds of rest between two slices of background work."""

FEW: Final = 4
"""So many functions are what was edited; more are the rest of a file."""

FIRST: Final = 0.1
"""Seconds for which the functions of a document are looked at before its first diagnostics go out."""
PROMPT: Final = 0.01
"""Seconds for which they are after an edit that concerns them all."""

T = TypeVar("T")

Publish = Callable[[OpenDocument], None]
Announce = Callable[[OpenDocument], None]
Locate = Callable[[Document], "tuple[tuple[int, int], tuple[int, int]]"]


@record
class Edit:
    """A change of text. `locate` gives the start and the end of what is replaced, each a line and a column in
    characters; None replaces everything. It is asked when the edit's turn comes, since positions count in the text
    after the edits before it."""

    text: str
    locate: Locate | None = None

    def placed(self, document: Document) -> TextChange:
        """The edit where it stands in a text."""
        return TextChange(self.text, *self.locate(document)) if self.locate is not None else TextChange(self.text)


class Session:
    """The state of a server. `publish` is called when the diagnostics of a document may have changed, `announce` when
    its previews may have."""

    def __init__(self, publish: Publish, announce: Announce) -> None:
        self.context: Context = default_context()
        self.settings = Settings()
        self.documents: dict[str, OpenDocument] = {}
        self.runner = Runner()
        self.aside = Aside()
        self.turns = Turns(self._wake)
        self._publish = publish
        self._announce = announce
        self._last_edit = 0.0
        self._background: asyncio.Task[None] | None = None
        self._lowering: asyncio.Task[None] | None = None
        self._announcing: dict[str, asyncio.TimerHandle] = {}

    # ---- documents

    def open(self, uri: str, version: int, text: str) -> None:
        """Reads a document. Nobody may be at work on one of this name."""
        self._read(uri, version, text, None)

    def _read(self, uri: str, version: int, text: str, former: OpenDocument | None) -> None:
        def read() -> OpenDocument:
            document = Document(uri, version, text, self.context, self.settings)
            opened = OpenDocument(document)
            if former is not None:
                opened.previews, opened.first_changed = former.previews, 0
            self._check_for(opened, FIRST)
            return opened

        def was_read(result: Callable[[], OpenDocument]) -> None:
            opened = result()
            self.aside.forget(uri)
            self.documents[uri] = opened
            self._publish(opened)
            self._let_go(text)
            if former is not None:
                self._announce_later(opened)
            self._last_edit = 0.0
            self._wake()

        if len(text) > SHORT:
            self.turns.take(uri, read, was_read)
            return
        # It is objects that live long: the collector need not go over them again and again.
        gc.disable()
        try:
            opened = read()
        finally:
            gc.freeze()
            gc.enable()
        was_read(lambda: opened)

    def change(self, uri: str, version: int, edits: list[Edit]) -> None:
        """Makes edits. Nobody may be at work on the document."""
        opened = self.documents.get(uri)
        if opened is None:
            return
        self.aside.interrupt()
        self._last_edit = asyncio.get_running_loop().time()

        def apply() -> None:
            document = opened.document
            aliases = document.aliases
            for edit in edits:
                change = edit.placed(document)
                opened.changed(document.apply(change))
                self.aside.changed(uri, change)
            document.version = version
            if document.aliases is not aliases:
                opened.recheck_all()

        def look() -> None:
            opened.settle()
            if len(opened.to_check) == len(opened.document.tree.items):
                self._check_for(opened, PROMPT)

        def was_applied(result: Callable[[], None]) -> None:
            result()
            self.turns.take(uri, look, was_changed, may_end=True)

        def was_changed(result: Callable[[], None]) -> None:
            result()
            self._last_edit = asyncio.get_running_loop().time()
            self._publish(opened)
            self._let_go(*(edit.text for edit in edits))
            self._announce_later(opened)
            self._wake()

        if is_large(opened.document) or any(len(edit.text) > SHORT for edit in edits):
            self.turns.take(uri, apply, was_applied)
        else:
            apply()
            was_changed(look)

    def _let_go(self, *texts: str) -> None:
        """Sees to it that the memory of a message is free again soon, if it held much text."""
        if max(map(len, texts), default=0) >= MUCH:
            asyncio.get_running_loop().call_later(QUIET, give_back)

    def _check_for(self, opened: OpenDocument, seconds: float) -> None:
        """Looks at items, from the first on, for so long; the others are left to the background."""
        deadline = perf_counter() + seconds
        while opened.to_check and perf_counter() < deadline:
            opened.check(opened.to_check.popleft())

    def use(self, context: Context, files: tuple[DialectFile, ...] | None = None) -> None:
        """Takes over what is known from now on; `files` are those that describe it, if files do. What is open is read
        again, and its diagnostics published."""
        self.context = context
        self.aside.interrupt()
        for uri in self.documents:
            self.aside.forget(uri)
        self.aside.use(context, files)
        for uri in list(self.documents):
            self._read_again(uri)

    def _read_again(self, uri: str) -> None:
        former = self.documents.get(uri)
        if former is not None and not self.turns.later(uri, lambda: self._read_again(uri)):
            self._read(uri, former.document.version, former.document.tree.text, former)

    def close(self, uri: str) -> None:
        self.aside.forget(uri)
        self.aside.interrupt()
        opened = self.documents.pop(uri, None)
        if opened is not None:
            asyncio.get_running_loop().run_in_executor(None, opened.document.memory.close)
        handle = self._announcing.pop(uri, None)
        if handle is not None:
            handle.cancel()

    def snapshot(self, uri: str) -> Snapshot | None:
        opened = self.documents.get(uri)
        return opened.document.snapshot() if opened is not None else None

    def ask(self, uri: str, question: Callable[[], T]) -> asyncio.Future[T]:
        """The answer to a question about an open document, which is there now unless the document is large. Nobody may
        be at work on it. Interrupted if there is an edit before."""
        if is_large(self.documents[uri].document):
            return self.turns.ask(uri, question)
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        tell(answer, question)
        return answer

    def configure(self, section: object) -> list[str]:
        """Takes settings over, and gives back what is wrong with them."""
        former = self.settings
        self.settings, problems = updated(self.settings, section)
        changed = (former.pipeline_text, former.lowering_diagnostics) != (
            self.settings.pipeline_text,
            self.settings.lowering_diagnostics,
        )
        if changed:
            self.aside.interrupt()
        for uri in list(self.documents):
            self._configure(uri, is_lowered_anew=changed)
        return problems

    def _configure(self, uri: str, *, is_lowered_anew: bool) -> None:
        opened = self.documents.get(uri)
        if opened is None or self.turns.later(uri, lambda: self._configure(uri, is_lowered_anew=is_lowered_anew)):
            return
        opened.document.configure(self.settings)
        if is_lowered_anew:
            opened.stalls.clear()
            for item in opened.document.tree.items:
                opened.lower_later(item)
            opened.first_changed = 0
            self._publish(opened)
            self._announce_later(opened)
            self._wake()

    async def warm_up(self) -> None:
        """Does ahead what the first requests and the next document will need; of this, what can wait until no open
        document has work left."""
        for module in warming.modules(self.settings):
            await asyncio.to_thread(import_module, module)
        for step in warming.small_text(self.context, self.settings):
            step()
            await asyncio.sleep(0)
        deadline = 0.0
        for step in warming.definitions(self.context):
            if perf_counter() > deadline:
                await self._rest()
                deadline = perf_counter() + SLICE
            step()

    async def _rest(self) -> None:
        """Lets messages be answered, and waits until no open document has work left."""
        await asyncio.sleep(BREATH)
        while self._background is not None and not self._background.done():
            await asyncio.wait([self._background])

    def shutdown(self) -> None:
        self.runner.close()
        self.aside.close()
        self.documents.clear()
        self.turns.close()
        for task in (self._background, self._lowering):
            if task is not None:
                task.cancel()

    # ---- work in the background

    def _announce_later(self, opened: OpenDocument) -> None:
        uri = opened.document.uri
        if not opened.previews:
            return
        handle = self._announcing.pop(uri, None)
        if handle is not None:
            handle.cancel()
        self._announcing[uri] = asyncio.get_running_loop().call_later(0.01, self._announce_now, uri)

    def _announce_now(self, uri: str) -> None:
        self._announcing.pop(uri, None)
        opened = self.documents.get(uri)
        if opened is not None and not self.turns.later(uri, lambda: self._announce_now(uri)):
            self._announce(opened)
            opened.first_changed = None

    def _wake(self) -> None:
        if self._background is None or self._background.done():
            self._background = asyncio.get_running_loop().create_task(self._work())
        if self._lowering is None or self._lowering.done():
            self._lowering = asyncio.get_running_loop().create_task(self._lower_beside())

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            opened = next((each for each in self.documents.values() if self._has_work(each)), None)
            if opened is None:
                return
            are_few = len(opened.to_lower) <= FEW and len(opened.to_check) <= FEW
            wait = (PAUSE if are_few else QUIET) - (loop.time() - self._last_edit)
            if wait > 0:
                await asyncio.sleep(wait)
                continue
            await self._slices(opened, loop.time)

    def _has_work(self, opened: OpenDocument) -> bool:
        """Whether there is work on a document in the background."""
        return bool(opened.to_check or opened.to_lower) and not self.turns.is_taken(opened.document.uri)

    async def _slices(self, opened: OpenDocument, now: Callable[[], float]) -> None:
        """Works on one document until it is done or someone types; then shows what was found."""
        edit = self._last_edit
        before = (dict(opened.problems), dict(opened.stalls))
        shown = now()
        while self._has_work(opened) and self._last_edit == edit:
            if self.documents.get(opened.document.uri) is not opened:
                return
            deadline = perf_counter() + SLICE
            checking = bool(opened.to_check)
            while perf_counter() < deadline and self._has_work(opened):
                self._do_next(opened, before)
            # What is wrong with the text need not wait for what lowering finds.
            if (checking and not opened.to_check) or now() - shown > 1.0:
                shown = now()
                before = self._show(opened, before)
            await asyncio.sleep(BREATH)
        self._show(opened, before)
        self._wake()

    def _do_next(self, opened: OpenDocument, before: tuple[object, object]) -> None:
        """Lowers or looks at the item whose turn it is; in slices, unless an edit comes, if that may take long."""
        is_lowered = bool(opened.to_lower) and (len(opened.to_lower) <= FEW or not opened.to_check)
        if not is_lowered and not is_large(opened.to_check[0]):
            opened.check_first()
            return
        uri = opened.document.uri
        is_begun = False

        def was_done(result: Callable[[], None]) -> None:
            result()
            if is_begun:
                self._show(opened, before)

        self.turns.take(uri, opened.lower_first if is_lowered else opened.check_first, was_done, may_end=True)
        is_begun = True
        if self.turns.is_taken(uri):
            self._show(opened, before)

    # ---- work in the process beside the server

    async def beside(self, uri: str, prepare: Callable[[Snapshot], Work[T] | None]) -> tuple[Snapshot, T]:
        """What work finds in a version of a document that is the present one when it is done, and this version.

        It begins when nobody types, and begins anew when it is interrupted by an edit. `prepare` says then, of the
        version, what is to be found out. Raises NothingToDo if it says nothing, or if the document is closed, and
        Failed if a fault of Fathom's own is in the way.
        """
        while True:
            try:
                return await self._beside_once(uri, prepare)
            except Interrupted:
                continue

    async def _beside_once(self, uri: str, prepare: Callable[[Snapshot], Work[T] | None]) -> tuple[Snapshot, T]:
        snapshots: list[Snapshot] = []

        async def begin() -> tuple[Document, Work[T]]:
            await self._pause()
            await self.turns.until_free(uri)
            opened = self.documents.get(uri)
            if opened is None:
                raise NothingToDo
            snapshots.append(opened.document.snapshot())
            work = prepare(snapshots[0])
            if work is None:
                raise NothingToDo
            return opened.document, work

        found = await self.aside.run(begin)
        await self.turns.until_free(uri)
        opened = self.documents.get(uri)
        if opened is None:
            raise NothingToDo
        if opened.document.memory is not snapshots[0].memory:
            raise Interrupted
        return snapshots[0], found

    async def _pause(self) -> None:
        """Waits until nobody types."""
        loop = asyncio.get_running_loop()
        while True:
            wait = REST - (loop.time() - self._last_edit)
            if wait <= 0:
                return
            await asyncio.sleep(wait)

    async def _lower_beside(self) -> None:
        """Runs the pipeline on the items for which this takes long, and shows what it would leave behind."""
        from fathom_server.features.lowered_lines import found_by_lowering, learn

        while (opened := next((each for each in self.documents.values() if each.to_lower_beside), None)) is not None:
            if self.turns.is_taken(opened.document.uri):
                await self.turns.until_free(opened.document.uri)
                continue
            item = opened.to_lower_beside.popleft()
            await self._pause()
            await self.turns.until_free(opened.document.uri)
            try:
                await self.turns.ask(opened.document.uri, partial(opened.prepare, item))
            except Interrupted:
                opened.to_lower_beside.appendleft(item)
                continue
            if item not in opened.live or not is_reported(opened.document.snapshot()):
                continue
            before = (dict(opened.problems), dict(opened.stalls))

            def work(present: Snapshot, item: Item = item, opened: OpenDocument = opened) -> Work[Found] | None:
                if item not in opened.live:
                    return None
                index = present.tree.index_of(item)
                return Work(found_by_lowering, (index,), (index,))

            try:
                snapshot, found = await self._beside_once(opened.document.uri, work)
            except Interrupted:
                opened.to_lower_beside.appendleft(item)
            except NothingToDo:
                continue
            except Failed as failed:
                opened.not_lowered(item, str(failed))
            else:
                learn(snapshot, item, found)
                opened.lower(item)
            self._show(opened, before)

    def _show(self, opened: OpenDocument, before: tuple[object, object]) -> tuple[object, object]:
        after = (dict(opened.problems), dict(opened.stalls))
        if after != before and self.documents.get(opened.document.uri) is opened:
            self._publish(opened)
        return after
