"""One version of a document, with the settings in force, as it is for all time: what every request is answered from."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.context import Context
from fathom.elaborate.meaning import Aliases
from fathom.records import record
from fathom.syntax.tree import Item, SyntaxTree
from fathom_server.model.memory import Memory
from fathom_server.model.settings import Settings
from fathom_server.model.symbol_index import SymbolIndex


@record
class Snapshot:
    """A version of a document. Offsets count characters from its beginning.

    `symbols` are those of each name, in no order (`model/lookup.py` has them in that of the text); `aliases` those of
    each split, by the line that begins it. `memory` holds what
    was found out about this version so far, through the queries of this package.
    """

    uri: str
    version: int
    tree: SyntaxTree
    symbols: SymbolIndex
    aliases: Mapping[Item | None, Aliases]
    context: Context
    settings: Settings
    memory: Memory

    def start_of(self, item: Item) -> int:
        """The offset at which an item of this version begins."""
        return self.tree.start(self.tree.index_of(item))
