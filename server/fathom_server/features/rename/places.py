"""How a refusal speaks of places."""

from __future__ import annotations

from fathom_server.model.snapshot import Snapshot


def line_of(snapshot: Snapshot, offset: int) -> int:
    """The line of an offset, from 1."""
    return snapshot.tree.line_of(offset)[0] + 1
