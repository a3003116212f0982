"""Documents from marked text: `<|>` is the cursor, `<|>…<|>` a range."""

from __future__ import annotations

from functools import lru_cache

from fathom.dialects import Registry, default_registry
from fathom.irdl.parsing import RegistryVocabulary
from fathom.syntax.shapes import ShapeMemory
from fathom_server.session.document import Document
from fathom_server.session.settings import Settings
from fathom_server.session.snapshot import Snapshot

MARK = "<|>"


@lru_cache(maxsize=1)
def memory() -> tuple[Registry, ShapeMemory]:
    registry = default_registry()
    return registry, ShapeMemory(RegistryVocabulary(registry))


def unmark(marked: str) -> tuple[str, list[int]]:
    """The text without its marks, and the offsets at which they stood."""
    parts = marked.split(MARK)
    offsets: list[int] = []
    text = parts[0]
    for part in parts[1:]:
        offsets.append(len(text))
        text += part
    return text, offsets


def snapshot_of(text: str) -> Snapshot:
    registry, shapes = memory()
    return Snapshot(Document("file:///test.mlir", 1, text, registry, shapes), Settings())


def marked_snapshot(marked: str) -> tuple[Snapshot, list[int]]:
    text, offsets = unmark(marked)
    return snapshot_of(text), offsets
