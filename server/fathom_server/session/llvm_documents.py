"""The `.ll` files that are open: their texts, which follow the edits, and the questions about them.

What takes longer than a slice is done in slices, as of others (`turns.py`). What is wrong with a file is asked of
LLVM, in a process of its own, when nobody types: it may take long, or end. What files are in the LLVM dialect has a
module of its own (`llvm_images.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from fathom.context import Context
from fathom.llvm.process import Llvm
from fathom_server.model.llvm_ir.findings import Finding, findings
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.model.settings import Settings
from fathom_server.session.keys import Keys
from fathom_server.session.llvm_images import LlvmImages
from fathom_server.session.previews import Key, Shown
from fathom_server.session.turns import Turns

REST: Final = 0.1
"""Seconds without an edit before LLVM is asked about a file."""
MOST_SECONDS: Final = 30.0
MOST_MEMORY: Final = 4 << 30
"""LLVM may take so long about a file, and so many bytes."""
MOST_LINES: Final = 5_000
"""A file of no more lines is brought to the LLVM dialect unasked, for its hovers."""

T = TypeVar("T")
Edit = Callable[[LlvmText], tuple[int, int, str]]
"""What an edit replaces in a text, between which offsets, and by what."""


class LlvmDocuments:
    """See the module. Messages about a file wait while it is worked on (`lsp/protocol.py`). `show` is called with what
    is wrong with a version of a file, when that was found out, or it was closed; `announce` with a file and its version
    when previews of it may have changed."""

    def __init__(
        self,
        turns: Turns,
        show: Callable[[LlvmSnapshot, list[Finding]], None],
        context: Callable[[], Context],
        settings_for: Callable[[str], Settings],
        announce: Callable[[str, int], None],
    ) -> None:
        self.documents: dict[str, LlvmSnapshot] = {}
        self._turns = turns
        self._show = show
        self._llvm = Llvm(MOST_SECONDS, MOST_MEMORY)
        self._unchecked: dict[str, None] = {}
        """The files that LLVM has to be asked about, those that changed first before the others."""
        self._keys = Keys()
        self._checking: asyncio.Task[None] | None = None
        self._shown: dict[str, dict[Key, Shown]] = {}
        """The previews that a client has of a file."""
        self.images: Final = LlvmImages(self.documents, turns, context, settings_for)
        self._announce = announce

    def open(self, uri: str, version: int, text: str) -> None:
        """Takes in a file that was opened."""
        self.documents[uri] = LlvmSnapshot(uri, version, LlvmText.read(""))
        self._take(uri, version, lambda: LlvmText.read(text))

    def change(self, uri: str, version: int, edits: Sequence[Edit]) -> None:
        """Makes edits."""
        self._keys.note()

        def edited() -> LlvmText:
            tree = self.documents[uri].tree
            for edit in edits:
                tree = tree.edited(*edit(tree))
            return tree

        self._take(uri, version, edited)

    def _take(self, uri: str, version: int, work: Callable[[], LlvmText]) -> None:
        def was_read(result: Callable[[], LlvmText]) -> None:
            self.documents[uri] = LlvmSnapshot(uri, version, result(), told=self.documents[uri].told)
            if self._shown.get(uri):
                self._announce(uri, version)
            self._unchecked[uri] = None
            if self._checking is None or self._checking.done():
                self._checking = asyncio.get_running_loop().create_task(self._check())

        self._turns.take(uri, work, was_read)

    def close(self, uri: str) -> None:
        self.images.close(uri)
        self._shown.pop(uri, None)
        snapshot = self.documents.pop(uri, None)
        if snapshot is not None:
            self._show(snapshot, [])
        if not self.documents:
            # In a thread, since it waits for the answer that LLVM owes.
            asyncio.get_running_loop().run_in_executor(None, self._llvm.close)
            self.images.end()

    async def _check(self) -> None:
        """Asks LLVM about all files that changed, each when nobody types."""
        while self._unchecked:
            await self._keys.pause(REST)
            uri = next(iter(self._unchecked))
            del self._unchecked[uri]
            snapshot = self.documents.get(uri)
            if snapshot is None:
                continue
            found = await asyncio.to_thread(findings, snapshot.tree, self._llvm.ask)
            if self.documents.get(uri) is not snapshot:
                continue
            self._show(snapshot, found)
            if not found and snapshot.tree.line_count <= MOST_LINES:
                await self.images.imported(uri)

    def trees(self) -> dict[str, LlvmText]:
        """The texts of the files that are open."""
        return {uri: snapshot.tree for uri, snapshot in self.documents.items()}

    def ask(self, uri: str, question: Callable[[LlvmSnapshot], T]) -> asyncio.Future[T]:
        """The answer to a question about the present version of a file, at once unless it takes longer than a slice."""
        snapshot = self.documents[uri]
        return self._turns.ask(uri, lambda: question(snapshot))

    def shown_of(self, uri: str, key: Key, version: int) -> Shown:
        """What the client has of a preview that it asks for; an empty text if it has none yet."""
        return self._shown.setdefault(uri, {}).setdefault(key, Shown('""', version, "[]"))

    def close_preview(self, uri: str, stage: str | None, function: str | None) -> None:
        """The client has a preview no more; none of a file if no stage is said."""
        if stage is None:
            self._shown.pop(uri, None)
        else:
            self._shown.get(uri, {}).pop((stage, function, False), None)

    def shutdown(self) -> None:
        """Ends all work."""
        if self._checking is not None:
            self._checking.cancel()
        self._llvm.interrupt()
        self.images.end()
        self.documents.clear()
