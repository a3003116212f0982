"""The IR of single items.

An item is elaborated alone. What it needs of others, the operations behind the symbols it names, is looked up by
header, so that a broken body elsewhere in the document does it no harm. All spans count from the item's beginning.
"""

from __future__ import annotations

from typing import Final

from fathom.elaborate.aliases import is_sound
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.elaborator import Elaborator
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.symbol_references import references_of_operation
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom_server.model.aliases import aliases_for
from fathom_server.model.live_items import LIVE_FROM, LiveItem
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol

MOST_LIVE: Final = 4
"""So many big items of a document stay elaborated while they are edited."""

KEPT: Final = 64
"""The IR of this many items is kept; that of others is made again when it is asked for."""


def _dismantled(made: Elaborated, key: tuple[object, ...]) -> None:
    del key
    if not made.is_live:
        made.dismantle()


@query(keep=KEPT, ends=_dismantled, is_shared=True)
def elaborated(snapshot: Snapshot, item: Item) -> Elaborated:
    """The IR of an item; there is none of aliases, which are looked up where they are used."""
    if is_sound(item):
        return Elaborated()
    live = live_item(snapshot, item)
    return live.known if live is not None else Elaborator(snapshot.context, aliases_for(snapshot, item)).run([item])


def live_item(snapshot: Snapshot, item: Item) -> LiveItem | None:
    """What stays elaborated of an item; None for a small one."""
    live = _begun(snapshot, item)
    if live is not None and not live.is_made:
        snapshot.memory.dismantle_lives()
        try:
            live.make()
        except Exception:
            snapshot.memory.forget_live(item)
            raise
        if not follow(snapshot, item):  # It was that of the item before some edits.
            return live_item(snapshot, item)
    return live


def _begun(snapshot: Snapshot, item: Item) -> LiveItem | None:
    """What stays elaborated of an item, or will be when it is made; None for a small one."""
    lives = snapshot.memory.lives
    if lives is None or len(item.pieces) < LIVE_FROM:
        return None
    if follow(snapshot, item) or item in lives:
        return lives[item]
    live = lives[item] = LiveItem(snapshot.context, aliases_for(snapshot, item), item)
    while len(lives) > MOST_LIVE:
        first = next(iter(lives))
        if lives[first].is_made:
            del lives[first]  # Somebody may still look at it.
        else:
            snapshot.memory.forget_live(first)
    return live


def operation_of(known: Elaborated, symbol: Symbol) -> Operation | None:
    """The operation of a symbol in what is known of its item; None while nothing is made of it."""
    return known.operation_at(symbol.piece, symbol.base + symbol.parsed.name_token)


def follow(snapshot: Snapshot, item: Item) -> bool:
    """Whether there is an IR of an item, which goes on from that before the last edits at the cost of what they
    touched; one that cannot is given up."""
    lives, known_aliases = snapshot.memory.lives, aliases_for(snapshot, item)
    live = lives.get(item) if lives is not None else None
    if lives is None or live is None:
        return False
    if live.aliases is known_aliases and (not live.is_made or live.follow(item)):
        return live.is_made
    snapshot.memory.forget_live(item)
    return False


def prepare(snapshot: Snapshot, item: Item) -> None:
    """Does ahead what the first edit of an item would need that stays elaborated."""
    if follow(snapshot, item) and snapshot.memory.lives is not None:
        snapshot.memory.lives[item].prepare()


@query(keep=KEPT)
def references(snapshot: Snapshot, item: Item) -> frozenset[SymbolRefAttr]:
    """The references to symbols in an item."""
    live = live_item(snapshot, item)
    if live is not None:
        return live.references
    operations = elaborated(snapshot, item).operations
    return frozenset(
        reference for root in operations for op in paced(root.walk()) for reference in references_of_operation(op)
    )


def referenced(snapshot: Snapshot, item: Item) -> frozenset[str]:
    """The names in its own scope that an item refers to."""
    return frozenset(reference.root for reference in references(snapshot, item))
