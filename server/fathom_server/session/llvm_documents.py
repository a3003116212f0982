"""The `.ll` files that are open: their texts, which follow the edits, and the questions about them.

What takes longer than a slice is done in slices, as of others (`turns.py`). What is wrong with a file is asked of
LLVM, in a process of its own, when nobody types: it may take long, or end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from fathom.llvm.process import Llvm
from fathom_server.model.llvm_ir.findings import Finding, findings
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.session.keys import Keys
from fathom_server.session.turns import Turns

REST: Final = 0.1
"""Seconds without an edit before LLVM is asked about a file."""
MOST_SECONDS: Final = 30.0
MOST_MEMORY: Final = 4 << 30
"""LLVM may take so long about a file, and so many bytes."""

T = TypeVar("T")
Edit = Callable[[LlvmText], tuple[int, int, str]]
"""What an edit replaces in a text, between which offsets, and by what."""


class LlvmDocuments:
    """See the module. Messages about a file wait while it is worked on (`lsp/protocol.py`). `show` is called with what
    is wrong with a version of a file, when that was found out, or it was closed."""

    def __init__(self, turns: Turns, show: Callable[[LlvmSnapshot, list[Finding]], None]) -> None:
        self.documents: dict[str, LlvmSnapshot] = {}
        self._turns = turns
        self._show = show
        self._llvm = Llvm(MOST_SECONDS, MOST_MEMORY)
        self._unchecked: dict[str, None] = {}
        """The files that LLVM has to be asked about, those that changed first before the others."""
        self._keys = Keys()
        self._checking: asyncio.Task[None] | None = None

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
            self.documents[uri] = LlvmSnapshot(uri, version, result())
            self._unchecked[uri] = None
            if self._checking is None or self._checking.done():
                self._checking = asyncio.get_running_loop().create_task(self._check())

        self._turns.take(uri, work, was_read)

    def close(self, uri: str) -> None:
        snapshot = self.documents.pop(uri, None)
        if snapshot is not None:
            self._show(snapshot, [])

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
            if self.documents.get(uri) is snapshot:
                self._show(snapshot, found)

    def ask(self, uri: str, question: Callable[[LlvmSnapshot], T]) -> asyncio.Future[T]:
        """The answer to a question about the present version of a file, at once unless it takes longer than a slice."""
        snapshot = self.documents[uri]
        return self._turns.ask(uri, lambda: question(snapshot))

    def shutdown(self) -> None:
        """Ends all work."""
        if self._checking is not None:
            self._checking.cancel()
        self._llvm.interrupt()
        self.documents.clear()
