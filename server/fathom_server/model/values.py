"""What the values of an item were last, in the call that somebody had made: known until the item is edited."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.programs.told import Key, Told
from fathom.records import field, record
from fathom.syntax.tree import Item
from fathom_server.model.paths import find
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol


@record
class Values:
    """What values were, by where they are defined in the item; and of functions, by where they begin, why that is not
    known."""

    values: Mapping[Key, Told] = field(default_factory=dict[Key, Told])
    unknown: Mapping[int, str] = field(default_factory=dict[int, str])


NO_VALUES = Values()


@query()
def values_in(snapshot: Snapshot, item: Item) -> Values:
    """The values of an item: none until somebody takes some over from a call."""
    del snapshot, item
    return NO_VALUES


def learn_values(snapshot: Snapshot, item: Item, values: Values) -> None:
    """Takes over the values of an item of this version."""
    snapshot.memory.learn(values_in, item, answer=values, follows_from=lambda: None)


def not_known(symbol: Symbol, reason: str) -> Values:
    """That the values of a function are not known."""
    return Values(unknown={symbol.start: reason})


def why_none(snapshot: Snapshot, name: str, reason: str) -> dict[int, Values]:
    """That the values of a call are not known."""
    symbol = find(snapshot, name)
    if symbol is None:
        return {}
    return {snapshot.tree.index_of(symbol.item): not_known(symbol, reason)}
