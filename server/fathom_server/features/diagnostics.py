"""What is wrong with a document, item by item: syntax, meaning, verification, and what lowering would leave behind."""

from __future__ import annotations

from fathom.diagnostics import Diagnostic
from fathom.syntax.tree import Item
from fathom_server.session.analysis import lowering_diagnostics
from fathom_server.session.snapshot import Snapshot, analyse

MOST_PER_ITEM = 100
"""No more diagnostics than this are shown for one function."""


def item_diagnostics(snapshot: Snapshot, item: Item) -> list[Diagnostic]:
    """The mistakes of an item, with spans that count from its beginning."""
    return analyse(snapshot, item).diagnostics[:MOST_PER_ITEM]


def item_lowering(snapshot: Snapshot, item: Item) -> list[Diagnostic]:
    """What the pipeline would leave behind of an item; nothing when the settings ask for none."""
    if not snapshot.settings.lowering_diagnostics:
        return []
    return lowering_diagnostics(item, snapshot.document, snapshot.settings.pipeline)[:MOST_PER_ITEM]
