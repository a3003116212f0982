"""The work on open documents that nobody waits for: in slices on the event loop, and beside the server.

What an edit changed comes first, then what the pipeline makes of it, then the rest of the file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from fathom.syntax.tree import Item
from fathom_server.model.ages import has_outdated, older_edition
from fathom_server.model.lowered import is_reported
from fathom_server.model.own_code import mentions_code
from fathom_server.model.snapshot import Snapshot
from fathom_server.session.beside.messages import Work
from fathom_server.session.beside.process import Failed, Interrupted, NothingToDo
from fathom_server.session.beside.questions import Beside
from fathom_server.session.keys import Keys
from fathom_server.session.opened import OpenDocument, is_large
from fathom_server.session.turns import Turns

if TYPE_CHECKING:
    from fathom_server.model.learned import Found

LATER: Final = 0.5
"""Seconds after which it is found out of what release of MLIR a document is."""
SLICE: Final = 0.004
"""Seconds of background work before the loop gets to see to requests."""
PAUSE: Final = 0.05
"""Seconds without an edit before edited functions are lowered, and looked at if that takes long, and previews
announced."""
QUIET: Final = 0.4
"""Seconds without an edit before the rest of a file is worked on."""
BREATH: Final = 0.002
"""Seconds of rest between two slices of background work, but for those of looking at a file, which somebody waits
for."""

FEW: Final = 4
"""So many functions are no file to speak of."""

Publish = Callable[[OpenDocument], None]


class Background:
    """Works on the documents until all is known of them; `publish` shows what was found."""

    def __init__(
        self, documents: dict[str, OpenDocument], turns: Turns, beside: Beside, keys: Keys, publish: Publish
    ) -> None:
        self._documents = documents
        self._turns = turns
        self._beside = beside
        self._keys = keys
        self._publish = publish
        self._working: asyncio.Task[None] | None = None
        self._lowering: asyncio.Task[None] | None = None
        self._dating: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Ends the work."""
        for task in (self._working, self._lowering, self._dating):
            if task is not None:
                task.cancel()

    async def rest(self) -> None:
        """Lets messages be answered, and waits until no open document has work left."""
        await asyncio.sleep(BREATH)
        while self._working is not None and not self._working.done():
            await asyncio.wait([self._working])

    def wake(self) -> None:
        if self._working is None or self._working.done():
            self._working = asyncio.get_running_loop().create_task(self._work())
        if self._lowering is None or self._lowering.done():
            self._lowering = asyncio.get_running_loop().create_task(self._lower_beside())
        if self._dating is None or self._dating.done():
            self._dating = asyncio.get_running_loop().create_task(self._date_beside())

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            opened = next((waiting for waiting in self._documents.values() if self._has_work(waiting)), None)
            if opened is None:
                return
            is_little = len(opened.to_check) + len(opened.to_lower) <= FEW
            wait = (PAUSE if opened.to_lower.has_first or is_little else QUIET) - (loop.time() - self._keys.last)
            if wait > 0:
                await asyncio.sleep(wait)
                continue
            await self._slices(opened, loop.time)

    def _has_work(self, opened: OpenDocument) -> bool:
        """Whether there is work on a document in the background."""
        return opened.has_work and not self._turns.is_taken(opened.document.uri)

    async def _slices(self, opened: OpenDocument, now: Callable[[], float]) -> None:
        """Works on one document until it is done, or what was edited is, or someone types; then shows what was
        found."""
        edit = self._keys.last
        is_edited = opened.to_lower.has_first
        before = opened.findings.changes
        shown = now()
        try:
            while self._has_work(opened) and self._keys.last == edit and opened.to_lower.has_first == is_edited:
                if self._documents.get(opened.document.uri) is not opened:
                    return
                checking = bool(opened.to_check)
                self._turns.look(goes_on=checking)
                deadline = perf_counter() + SLICE
                while perf_counter() < deadline and self._has_work(opened) and opened.to_lower.has_first == is_edited:
                    self._do_next(opened, before)
                # What is wrong with the text need not wait for what lowering finds.
                if (checking and not opened.to_check) or now() - shown > 1.0:
                    shown = now()
                    before = self._show(opened, before)
                await asyncio.sleep(0 if opened.to_check else BREATH)
            self._show(opened, before)
        finally:
            self._turns.look(goes_on=False)
        self.wake()

    def _do_next(self, opened: OpenDocument, before: int) -> None:
        """Lowers or looks at the item whose turn it is; in slices, unless an edit comes, if that may take long."""
        is_lowered = opened.to_lower.has_first or not opened.to_check
        if not is_lowered and not is_large(opened.to_check.next):
            opened.check_first()
            return
        uri = opened.document.uri
        is_begun = False

        def was_done(result: Callable[[], None]) -> None:
            result()
            if is_begun:
                self._show(opened, before)

        self._turns.take(uri, opened.lower_first if is_lowered else opened.check_first, was_done, may_end=True)
        is_begun = True
        if self._turns.is_taken(uri):
            self._show(opened, before)

    async def _lower_beside(self) -> None:
        """Runs the pipeline on the items for which this takes long, and shows what it would leave behind."""
        from fathom_server.model.learned import found_by_lowering, learn

        while (
            opened := next((waiting for waiting in self._documents.values() if waiting.to_lower_beside), None)
        ) is not None:
            if self._turns.is_taken(opened.document.uri):
                await self._turns.until_free(opened.document.uri)
                continue
            item = opened.to_lower_beside.next
            await self._keys.pause()
            await self._turns.until_free(opened.document.uri)
            if item not in opened.to_lower_beside:
                continue
            try:
                await self._turns.ask(opened.document.uri, partial(opened.prepare, item))
            except Interrupted:
                continue
            if item not in opened.to_lower_beside:
                continue
            before = opened.findings.changes

            def work(present: Snapshot, item: Item = item) -> Work[Found] | None:
                if item not in present.tree.items or not (is_reported(present) or mentions_code(present)):
                    return None
                index = present.tree.index_of(item)
                return Work(found_by_lowering, (index,), (index,))

            try:
                snapshot, answers = await self._beside.find_once(opened.document.uri, work)
            except Interrupted:
                self._show(opened, before)
                continue
            except NothingToDo:
                pass
            except Failed as failed:
                opened.not_lowered(item, str(failed))
            else:
                learn(snapshot, item, answers)
                opened.lower(item)
            opened.to_lower_beside.remove(item)
            self._show(opened, before)

    async def _date_beside(self) -> None:
        """Finds out whether documents are of an older release of MLIR, some time after mistakes are shown that may come
        of it, and shows it."""

        def work(present: Snapshot) -> Work[str] | None:
            return Work(older_edition) if has_outdated(present) else None

        while any(waiting.is_to_be_dated for waiting in self._documents.values()):
            await asyncio.sleep(LATER)
            opened = next((waiting for waiting in self._documents.values() if waiting.is_to_be_dated), None)
            if opened is None:
                return
            before = opened.findings.changes
            try:
                _, edition = await self._beside.find_once(opened.document.uri, work)
            except Interrupted:
                continue
            except (NothingToDo, Failed):
                edition = ""
            opened.dated(edition)
            self._show(opened, before)

    def _show(self, opened: OpenDocument, before: int) -> int:
        if opened.findings.changes != before and self._documents.get(opened.document.uri) is opened:
            self._publish(opened)
        return opened.findings.changes
