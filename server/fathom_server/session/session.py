"""The state of the server: the open documents, the settings, the worker, and the order in which work is done.

Work runs on the event loop in short slices. It stands back while someone types: what an edit changed comes first, then
what the pipeline makes of it, then the rest of the file. What takes longer than a slice for one item, to lower a big
function, is done in a process of its own, which begins when typing pauses and begins anew after an edit.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from fathom.context import Context, default_context
from fathom.irdl.files import DialectFile
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
from fathom_server.session.opened import OpenDocument
from fathom_server.session.runner import Runner

if TYPE_CHECKING:
    from fathom_server.features.lowered_lines import Found

SLICE: Final = 0.004
"""Seconds of background work before the loop gets to see to requests."""
BREATH: Final = 0.002
"""Seconds of rest between two slices, in which the thread that reads messages comes to its turn."""
PAUSE: Final = 0.05
"""Seconds without an edit before edited functions are lowered, and previews announced."""
REST: Final = 0.2
"""Seconds without an edit before work in the process beside the server begins: longer than between two keys of one who
types."""
QUIET: Final = 0.4
"""Seconds without an edit before the rest of a file is worked on."""

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
        self._publish = publish
        self._announce = announce
        self._last_edit = 0.0
        self._background: asyncio.Task[None] | None = None
        self._lowering: asyncio.Task[None] | None = None
        self._announcing: dict[str, asyncio.TimerHandle] = {}

    # ---- documents

    def open(self, uri: str, version: int, text: str) -> None:
        # It is a great many objects that live long: the collector need not go over them again and again.
        gc.disable()
        try:
            opened = OpenDocument(Document(uri, version, text, self.context, self.settings))
            self.aside.forget(uri)
            self.documents[uri] = opened
            self._check_for(opened, FIRST)
        finally:
            gc.freeze()
            gc.enable()
        self._publish(opened)
        self._let_go(text)
        self._last_edit = 0.0
        self._wake()

    def change(self, uri: str, version: int, edits: list[Edit]) -> None:
        opened = self.documents.get(uri)
        if opened is None:
            return
        self.aside.interrupt()
        document = opened.document
        aliases = document.aliases
        for edit in edits:
            change = edit.placed(document)
            opened.changed(document.apply(change))
            self.aside.changed(uri, change)
        document.version = version
        opened.settle()
        if document.aliases is not aliases:
            opened.recheck_all()
            self._check_for(opened, PROMPT)
        self._last_edit = asyncio.get_running_loop().time()
        self._publish(opened)
        self._let_go(*(edit.text for edit in edits))
        self._announce_later(opened)
        self._wake()

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
        for uri, former in list(self.documents.items()):
            document = Document(uri, former.document.version, former.document.tree.text, context, self.settings)
            self.aside.forget(uri)
            opened = self.documents[uri] = OpenDocument(document, previews=former.previews, first_changed=0)
            self._check_for(opened, FIRST)
            self._publish(opened)
            self._announce_later(opened)
        self.aside.use(context, files)
        self._wake()

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

    def configure(self, section: object) -> list[str]:
        """Takes settings over, and gives back what is wrong with them."""
        former = self.settings
        self.settings, problems = updated(self.settings, section)
        for opened in self.documents.values():
            opened.document.configure(self.settings)
        changed = (former.pipeline_text, former.lowering_diagnostics) != (
            self.settings.pipeline_text,
            self.settings.lowering_diagnostics,
        )
        if changed:
            self.aside.interrupt()
            for opened in self.documents.values():
                opened.stalls.clear()
                for item in opened.document.tree.items:
                    opened.lower_later(item)
                opened.first_changed = 0
                self._publish(opened)
                self._announce_later(opened)
            self._wake()
        return problems

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
        if opened is not None:
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
            opened = next((o for o in self.documents.values() if o.to_check or o.to_lower), None)
            if opened is None:
                return
            wait = (PAUSE if len(opened.to_lower) <= 4 and not opened.to_check else QUIET) - (
                loop.time() - self._last_edit
            )
            if wait > 0:
                await asyncio.sleep(wait)
                continue
            await self._slices(opened, loop.time)

    async def _slices(self, opened: OpenDocument, now: Callable[[], float]) -> None:
        """Works on one document until it is done or someone types; then shows what was found."""
        edit = self._last_edit
        before = (dict(opened.problems), dict(opened.stalls))
        shown = now()
        while (opened.to_check or opened.to_lower) and self._last_edit == edit:
            if self.documents.get(opened.document.uri) is not opened:
                return
            deadline = perf_counter() + SLICE
            checking = bool(opened.to_check)
            while perf_counter() < deadline and (opened.to_check or opened.to_lower):
                if opened.to_lower and (len(opened.to_lower) <= 4 or not opened.to_check):
                    opened.lower(opened.to_lower.popleft())
                else:
                    opened.check_on()
            # What is wrong with the text need not wait for what lowering finds.
            if (checking and not opened.to_check) or now() - shown > 1.0:
                shown = now()
                before = self._show(opened, before)
            await asyncio.sleep(BREATH)
        self._show(opened, before)
        self._wake()

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
            opened = self.documents.get(uri)
            if opened is None:
                raise NothingToDo
            snapshots.append(opened.document.snapshot())
            work = prepare(snapshots[0])
            if work is None:
                raise NothingToDo
            return opened.document, work

        found = await self.aside.run(begin)
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
            item = opened.to_lower_beside.popleft()
            await self._pause()
            opened.prepare(item)
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
