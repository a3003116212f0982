"""The `.ll` files that are open: their texts, which follow the edits, and the questions about them.

What takes longer than a slice is done in slices, as of other documents (`turns.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.session.turns import Turns

T = TypeVar("T")
Edit = Callable[[LlvmText], tuple[int, int, str]]
"""What an edit replaces in a text, between which offsets, and by what."""


class LlvmDocuments:
    """See the module. Messages about a file wait while it is worked on (`lsp/protocol.py`)."""

    def __init__(self, turns: Turns) -> None:
        self.documents: dict[str, LlvmSnapshot] = {}
        self._turns = turns

    def open(self, uri: str, version: int, text: str) -> None:
        """Takes in a file that was opened."""
        self.documents[uri] = LlvmSnapshot(uri, version, LlvmText.read(""))
        self._take(uri, version, lambda: LlvmText.read(text))

    def change(self, uri: str, version: int, edits: Sequence[Edit]) -> None:
        """Makes edits."""

        def edited() -> LlvmText:
            tree = self.documents[uri].tree
            for edit in edits:
                tree = tree.edited(*edit(tree))
            return tree

        self._take(uri, version, edited)

    def _take(self, uri: str, version: int, work: Callable[[], LlvmText]) -> None:
        def was_read(result: Callable[[], LlvmText]) -> None:
            self.documents[uri] = LlvmSnapshot(uri, version, result())

        self._turns.take(uri, work, was_read)

    def close(self, uri: str) -> None:
        self.documents.pop(uri, None)

    def ask(self, uri: str, question: Callable[[LlvmSnapshot], T]) -> asyncio.Future[T]:
        """The answer to a question about the present version of a file, at once unless it takes longer than a slice."""
        snapshot = self.documents[uri]
        return self._turns.ask(uri, lambda: question(snapshot))

    def shutdown(self) -> None:
        self.documents.clear()
