"""The state of the server: the open documents, the settings, the worker, and the order in which work is done.

Work runs on the event loop in short slices. It stands back while someone types: what an edit changed comes first, then
what the pipeline makes of it, then the rest of the file. What takes longer than a slice for one item, to lower a big
function, is done in a process of its own, which begins when typing pauses and begins anew after an edit. What concerns
the text of a large document, or a large item, is done in slices that stand still wherever they are (`turns.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Final

from fathom.cached import cached_property
from fathom.context import Context, default_context
from fathom.descriptions.files import DialectFile
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom_server.model.document import Document
from fathom_server.model.running_tools import RUNNING
from fathom_server.model.settings import Problem, Settings, lowers_anew
from fathom_server.model.snapshot import Snapshot
from fathom_server.session import warming
from fathom_server.session.allocator import MUCH, give_back
from fathom_server.session.background import QUIET, SLICE, Background, Publish
from fathom_server.session.beside.questions import Beside
from fathom_server.session.collector import forget_text, leave_alone, look_at_all
from fathom_server.session.configuration import Configuration
from fathom_server.session.edits import Edit
from fathom_server.session.keys import Keys
from fathom_server.session.opened import SHORT, OpenDocument, is_large
from fathom_server.session.runner import Runner
from fathom_server.session.turns import Turns

if TYPE_CHECKING:
    from fathom_server.session.beside.messages import Described
    from fathom_server.session.projects import Project
    from fathom_server.session.testing import Testing
    from fathom_server.session.values import CallValues

FIRST: Final = 0.1
"""Seconds for which the functions of a document are looked at before its first diagnostics go out."""
PROMPT: Final = 0.01
"""Seconds for which they are after an edit that concerns them all."""

BURST: Final = 0.001
"""Seconds between edits that are one to those who watch previews, but for the first: nobody types as fast, but clients
send as fast."""
BREAK: Final = 0.05
"""Seconds without an edit before anything is done ahead: a key and what is asked after it are answered by then."""
PAUSE: Final = 60.0
"""Seconds without an edit before all that is kept is gone over for what is not needed any more."""


Announce = Callable[[OpenDocument], None]


class Session:
    """The state of a server. `publish` is called when the diagnostics of a document may have changed, `announce` when
    its previews may have, and `show_values` when there are other values of lines."""

    def __init__(self, publish: Publish, announce: Announce, show_values: Callable[[], None] = lambda: None) -> None:
        self.context: Context = default_context()
        self.described: tuple[DialectFile, ...] = ()
        """The files that describe what is known beside the library."""
        self.configuration = Configuration()
        self.documents: dict[str, OpenDocument] = {}
        self.runner = Runner()
        self.turns = Turns(lambda: self._background.wake())
        self._publish = publish
        self._announce = announce
        self._show_values = show_values
        self._keys = Keys()
        self.beside = Beside(self.documents, self.turns, self._keys)
        self._background = Background(self.documents, self.turns, self.beside, self._keys, publish)
        self._loop: asyncio.AbstractEventLoop | None = None
        """That of the messages, from the first document on."""
        self._announcing: dict[str, asyncio.TimerHandle] = {}
        self._collecting: asyncio.Task[None] | None = None

    @cached_property
    def testing(self) -> Testing:
        """The tests that are run, made when one is for the first time."""
        from fathom_server.session.testing import Testing

        return Testing()

    @cached_property
    def values(self) -> CallValues:
        """The values of calls that were made, when one was for the first time."""
        from fathom_server.session.values import CallValues

        return CallValues(self.beside, self._show_values)

    @property
    def has_tested(self) -> bool:
        """Whether a test was run."""
        return "testing" in self.__dict__

    # ---- documents

    def open(self, uri: str, version: int, text: str) -> None:
        """Reads a document. Nobody may be at work on one of this name."""
        self._loop = asyncio.get_running_loop()
        self._read(uri, version, text, None)

    def _read(self, uri: str, version: int, text: str, former: OpenDocument | None) -> None:
        def read() -> OpenDocument:
            document = Document(uri, version, text, self.context, self.configuration.settings_for(uri))
            opened = OpenDocument(document)
            if former is not None:
                opened.attention = former.attention
            self._check_for(opened, FIRST)
            return opened

        def was_read(result: Callable[[], OpenDocument]) -> None:
            opened = result()
            if len(text) >= MUCH:
                leave_alone()  # It is millions of objects that live long.
            self.beside.process.forget(uri)
            self.documents[uri] = opened
            self._publish(opened)
            self._give_back_after(text)
            if former is not None:
                self._announce_soon(opened)
                self._close(former)
            self._keys.last = 0.0
            self._background.wake()

        if len(text) > SHORT:
            self.turns.take(uri, read, was_read)
        else:
            was_read(read)

    def change(self, uri: str, version: int, edits: list[Edit]) -> None:
        """Makes edits. Nobody may be at work on the document."""
        opened = self.documents.get(uri)
        if opened is None:
            return
        self.beside.process.interrupt()
        RUNNING.interrupt(uri)
        self._keys.note()

        def apply() -> None:
            document = opened.document
            for edit in edits:
                change = edit.placed(document)
                made = document.apply(change)
                forget_text(sum(item.length for item in made.removed))
                opened.changed(made)
                self.beside.process.changed(uri, change)
            document.version = version

        def look() -> None:
            if not opened.settle():
                self._check_for(opened, PROMPT)

        def was_applied(result: Callable[[], None]) -> None:
            result()
            self.beside.process.follow(opened.document)
            self.turns.take(uri, look, was_changed, may_end=True)

        def was_changed(result: Callable[[], None]) -> None:
            result()
            self._keys.note()
            self._publish(opened)
            self._give_back_after(*(edit.text for edit in edits))
            self._announce_soon(opened)
            self._background.wake()
            self._collect_later()

        # Where the first edit stands can be told before it is made; that of the others follows from it.
        is_long = any(len(edit.text) > SHORT for edit in edits) or any(
            edit.is_in_long_line(opened.document) for edit in edits[:1]
        )
        if is_long or is_large(opened.document):
            self.turns.take(uri, apply, was_applied)
        else:
            apply()
            self.beside.process.follow(opened.document)
            was_changed(look)

    def _give_back_after(self, *texts: str) -> None:
        """Sees to it that the memory of a message is free again soon, if it held much text."""
        if max(map(len, texts), default=0) >= MUCH:
            asyncio.get_running_loop().call_later(QUIET, give_back)

    def _collect_later(self) -> None:
        """Sees to it that all objects are gone over when nobody has typed for a while."""
        if self._collecting is None or self._collecting.done():
            self._collecting = asyncio.get_running_loop().create_task(self._collect())

    async def _collect(self) -> None:
        await self._keys.pause(PAUSE)
        while self.turns.are_taken:
            await self.turns.until_idle()
            await self._keys.pause(PAUSE)
        look_at_all()

    def _check_for(self, opened: OpenDocument, seconds: float) -> None:
        """Looks at items, from the first on, for so long; the others are left to the background."""
        deadline = perf_counter() + seconds
        while opened.to_check and perf_counter() < deadline:
            opened.check_first()

    def use(self, context: Context, described: Described | None = None) -> None:
        """Takes over what is known from now on, and what describes it, if files do. What is open is read again, and its
        diagnostics published."""
        self.context, self.described = context, described.files if described is not None else ()
        self.beside.process.interrupt()
        for uri in self.documents:
            self.beside.process.forget(uri)
        self.beside.process.use(context, described)
        for uri in list(self.documents):
            self._read_again(uri)

    def _read_again(self, uri: str) -> None:
        former = self.documents.get(uri)
        if former is not None and not self.turns.later(uri, lambda: self._read_again(uri)):
            self._read(uri, former.document.version, former.document.tree.text, former)

    def close(self, uri: str) -> None:
        self.beside.process.forget(uri)
        self.beside.process.interrupt()
        RUNNING.interrupt(uri)
        if self.has_tested:
            self.testing.forget(uri)
        opened = self.documents.pop(uri, None)
        if opened is not None:
            self._close(opened)
        handle = self._announcing.pop(uri, None)
        if handle is not None:
            handle.cancel()

    def _close(self, opened: OpenDocument) -> None:
        """Lets go of what is known of a document, and gives the memory back if it was much."""
        tree = opened.document.tree
        length, loop = tree.length, asyncio.get_running_loop()
        # What holds millions of objects is let go of bit by bit: all of it at once, nobody else would have a turn.
        chunks = [chunk for item in tree.items for chunk in item.pieces.chunks] if length >= MUCH else []
        del tree

        def was_forgotten(done: object) -> None:
            del done
            if length >= MUCH:
                give_back()
            if forget_text(length):
                self._collect_later()

        def was_closed(done: object) -> None:
            del done
            loop.run_in_executor(None, _forget_all, chunks).add_done_callback(was_forgotten)

        loop.run_in_executor(None, opened.document.close).add_done_callback(was_closed)

    def snapshot(self, uri: str) -> Snapshot | None:
        opened = self.documents.get(uri)
        return opened.document.snapshot() if opened is not None else None

    @property
    def settings(self) -> Settings:
        """The settings that no folder of the workspace has to do with."""
        return self.configuration.general

    def configure(self, section: object, folder: str | None = None) -> list[Problem]:
        """Takes over the settings of a folder, or of all; gives back what is wrong with them."""
        problems = self.configuration.take(section, folder)
        self._configure_all()
        return problems

    def use_projects(self, projects: Mapping[str, Project]) -> None:
        """Takes over what the `fathom.toml` in the folders of the workspace say."""
        self.configuration.use_projects(projects)
        self._configure_all()

    def use_editions(self, editions: Mapping[str, str]) -> None:
        """Takes over which editions stand for the folders that are named as such, by their paths."""
        self.configuration.use_editions(editions)
        self._configure_all()

    def _configure_all(self) -> None:
        documents = self.documents.items()
        if any(
            lowers_anew(opened.document.settings, self.configuration.settings_for(uri)) for uri, opened in documents
        ):
            self.beside.process.interrupt()
        for uri in list(self.documents):
            self._configure(uri)

    def _configure(self, uri: str) -> None:
        opened = self.documents.get(uri)
        if opened is None or self.turns.later(uri, lambda: self._configure(uri)):
            return
        former, settings = opened.document.settings, self.configuration.settings_for(uri)
        if former.mlir != settings.mlir and opened.document.is_otherwise_in(settings):
            self._read_again(uri)
            return
        opened.document.configure(settings)
        if lowers_anew(former, settings):
            opened.lower_anew()
            self._publish(opened)
            self._announce_soon(opened)
            self._background.wake()

    def ask_for(self, uri: str, function: str | None) -> None:
        """Somebody asked what becomes of a function of a document, or of the whole of it: from now on all is shown that
        keeps it from LLVM IR."""
        opened = self.documents.get(uri)
        if opened is not None and opened.ask_for(function):
            self.soon(lambda: self._publish_again(uri))

    def soon(self, act: Callable[[], None]) -> None:
        """Has something done by the event loop: a question may be answered in the thread of a turn."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(act)

    def _publish_again(self, uri: str) -> None:
        opened = self.documents.get(uri)
        if opened is not None and not self.turns.later(uri, lambda: self._publish_again(uri)):
            self._publish(opened)

    async def load(self, module: str) -> None:
        """Loads a module, which may take longer than a key, in a thread, which passes the interpreter on meanwhile, but
        not soon."""
        await self._until_quiet()
        await asyncio.to_thread(import_module, module)

    async def do_ahead(self, steps: Iterable[warming.Step]) -> None:
        """Takes short steps of what is done ahead, and lets messages be answered between them."""
        for step in steps:
            await self._until_quiet()
            step()
            await asyncio.sleep(0)

    async def _until_quiet(self) -> None:
        """Returns when nobody types, or works on a document: what is done ahead is to keep no key waiting."""
        await self._keys.pause(BREAK)
        await self.turns.until_idle()

    async def warm_up(self) -> None:
        """Does ahead what the first requests and the next document will need; of this, what can wait until no open
        document has work left."""
        for module in warming.modules(self.settings):
            await self.load(module)
        await self.do_ahead(warming.small_text(self.context, self.settings))
        deadline = 0.0
        for step in warming.definitions(self.context):
            if perf_counter() > deadline:
                await self._background.rest()
                deadline = perf_counter() + SLICE
            step()

    def shutdown(self) -> None:
        if self._collecting is not None:
            self._collecting.cancel()
        self.runner.close()
        RUNNING.interrupt()
        if "values" in self.__dict__:
            self.values.close()
        self.beside.process.close()
        self.documents.clear()
        self.turns.close()
        self._background.close()

    def _announce_soon(self, opened: OpenDocument) -> None:
        """Has the previews announced: at once, or when no further edit comes."""
        uri = opened.document.uri
        if not opened.attention.previews:
            return
        former = self._announcing.get(uri)
        if former is not None:
            former.cancel()
        is_first = former is None
        self._announcing[uri] = asyncio.get_running_loop().call_later(BURST, self._end_burst, uri, is_first)
        if is_first:
            self._announce_now(uri)

    def _end_burst(self, uri: str, is_told: bool) -> None:
        del self._announcing[uri]
        if not is_told:
            self._announce_now(uri)

    def _announce_now(self, uri: str) -> None:
        opened = self.documents.get(uri)
        if opened is not None and not self.turns.later(uri, lambda: self._announce_now(uri)):
            self._announce(opened)


def _forget_all(what: list[Chunk[Piece]]) -> None:
    """Forgets one after the other."""
    while what:
        what.pop()
