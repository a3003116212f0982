"""The aliases and resources that a document defines: each split of it has its own."""

from __future__ import annotations

from typing import Final

from fathom.elaborate.meaning import Aliases
from fathom.syntax.tree import Item
from fathom_server.model.lookup import split_of
from fathom_server.model.queries import fact
from fathom_server.model.snapshot import Snapshot

NO_ALIASES: Final = Aliases()
"""Those of a split that defines none."""


@fact(lambda reach: reach.aliases)
def aliases(snapshot: Snapshot, split: Item | None) -> Aliases:
    """The aliases and resources of a split of the document."""
    return snapshot.aliases.get(split, NO_ALIASES)


def aliases_for(snapshot: Snapshot, item: Item) -> Aliases:
    """The aliases and resources that an item can use."""
    return aliases(snapshot, split_of(snapshot, item))
