"""The symbols of a document by name, and the values beside its functions: an index that never changes; an edit makes a
new one, at its own cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom_server.model.symbols import Symbol, symbols_of, values_of

_BUCKETS: Final = 256


class SymbolIndex(Mapping[str, tuple[Symbol, ...]]):
    """The symbols of each name, in no order. `repeated` are the names of which there are several.

    Names are spread over buckets, so that a new index copies a small part of the former one and shares the rest.
    """

    def __init__(self) -> None:
        self._buckets: tuple[dict[str, tuple[Symbol, ...]], ...] = ({},) * _BUCKETS
        self.repeated: frozenset[str] = frozenset()
        self._values: Mapping[str, tuple[Item, ...]] = {}

    @property
    def value_names(self) -> Collection[str]:
        """The names of the values that items define beside functions."""
        return self._values.keys()

    def values_named(self, name: str) -> tuple[Item, ...]:
        """The items that define a value of a name, such as `%0`, beside functions; in no order."""
        return self._values.get(name, ())

    def updated(self, removed: Iterable[Item], added: Iterable[Item]) -> SymbolIndex:
        """The index without the names of some items and with those of others."""
        index = self._with_symbols(removed, added)
        values = self._values_after(removed, added)
        if values is not self._values:
            if index is self:
                index = SymbolIndex()
                index._buckets, index.repeated = self._buckets, self.repeated
            index._values = values
        return index

    def _values_after(self, removed: Iterable[Item], added: Iterable[Item]) -> Mapping[str, tuple[Item, ...]]:
        gone = _defined_by(removed)
        come = _defined_by(added)
        if not gone and not come:
            return self._values
        values = dict(self._values)
        for name in paced(gone.keys() | come.keys()):
            lost = gone.get(name, {})
            left = (*(item for item in values.pop(name, ()) if item not in lost), *come.get(name, ()))
            if left:
                values[name] = left
        return values

    def _with_symbols(self, removed: Iterable[Item], added: Iterable[Item]) -> SymbolIndex:
        gone = [symbol for item in paced(removed) for symbol in symbols_of(item)]
        come = [symbol for item in paced(added) for symbol in symbols_of(item)]
        if not gone and not come:
            return self
        buckets = list(self._buckets)
        lost, new = _by_name(gone), _by_name(come)
        names = lost.keys() | new.keys()
        for number in set(map(_bucket, names)):
            buckets[number] = dict(buckets[number])
        for name in paced(names):
            bucket = buckets[_bucket(name)]
            items = {symbol.item for symbol in lost.get(name, ())}
            left = [entry for entry in bucket.pop(name, ()) if entry.item not in items] + new.get(name, [])
            if left:
                bucket[name] = tuple(left)
        index = SymbolIndex()
        index._buckets = tuple(buckets)
        index._values = self._values
        changed = {name for name in names if (len(index.get(name, ())) > 1) is not (name in self.repeated)}
        index.repeated = self.repeated ^ changed if changed else self.repeated
        return index

    def __getitem__(self, name: str) -> tuple[Symbol, ...]:
        return self._buckets[_bucket(name)][name]

    def __iter__(self) -> Iterator[str]:
        for bucket in self._buckets:
            yield from bucket

    def __len__(self) -> int:
        return sum(map(len, self._buckets))


def _defined_by(items: Iterable[Item]) -> dict[str, dict[Item, None]]:
    """The names of the values that items define beside functions, each with the items that do."""
    homes: dict[str, dict[Item, None]] = {}
    for item in paced(items):
        for name, *_ in values_of(item):
            homes.setdefault(name, {})[item] = None
    return homes


def _by_name(symbols: Iterable[Symbol]) -> dict[str, list[Symbol]]:
    homonyms: dict[str, list[Symbol]] = {}
    for symbol in paced(symbols):
        homonyms.setdefault(symbol.name, []).append(symbol)
    return homonyms


def _bucket(name: str) -> int:
    return hash(name) % _BUCKETS
