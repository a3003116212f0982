"""Documents from marked text: `<|>` is the cursor, `<|>…<|>` a range."""

from __future__ import annotations

from fathom.context import default_context
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot

MARK = "<|>"


def unmark(marked: str) -> tuple[str, list[int]]:
    """The text without its marks, and the offsets at which they stood."""
    parts = marked.split(MARK)
    offsets: list[int] = []
    text = parts[0]
    for part in parts[1:]:
        offsets.append(len(text))
        text += part
    return text, offsets


def document_of(text: str) -> Document:
    return Document("file:///test.mlir", 1, text, default_context(), Settings())


def snapshot_of(text: str) -> Snapshot:
    return document_of(text).snapshot()


def marked_snapshot(marked: str) -> tuple[Snapshot, list[int]]:
    text, offsets = unmark(marked)
    return snapshot_of(text), offsets
