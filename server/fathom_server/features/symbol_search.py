"""Symbols of the workspace by a part of their names: the same name first, then what begins with what was typed, what
contains it, and what has its characters in their order. Case does not matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from heapq import nsmallest
from itertools import islice
from typing import Final, TypeVar

from fathom.records import NamedTuple
from fathom_server.features.index_entry import IndexedSymbol, IndexEntry

MOST: Final = 200
"""How many symbols are shown."""

W = TypeVar("W")


class Searched(NamedTuple):
    """What is known of a file, and its names in small letters, each on a line."""

    entry: IndexEntry
    names: str

    @classmethod
    def of(cls, entry: IndexEntry) -> Searched:
        return cls(entry, "\n".join(symbol.name.lower().replace("\n", " ") for symbol in entry.symbols))


def search(files: Iterable[tuple[W, Searched]], query: str, most: int = MOST) -> list[tuple[W, IndexedSymbol]]:
    """The symbols that fit a query, the best first; each with its file. `@a::b` asks for what is called like `b` in
    what is called like `a`."""
    *around, name = query.lower().replace("@", "").strip().split("::")
    listed = list(files)
    if not name and not around:
        return list(islice(((where, symbol) for where, file in listed for symbol in file.entry.symbols), most))
    fitting: list[list[tuple[W, IndexedSymbol]]] = [[], [], []]
    for where, file in listed:
        if name in file.names:
            for lowered, symbol in zip(file.names.split("\n"), file.entry.symbols, strict=False):
                at = lowered.find(name)
                if at >= 0 and _is_in(symbol, around):
                    fitting[0 if lowered == name else 1 if not at else 2].append((where, symbol))
    matching: list[tuple[W, IndexedSymbol]] = []
    for group in fitting:
        matching += nsmallest(most - len(matching), group, key=lambda match: (len(match[1].name), match[1].name))
    if len(matching) < most and len(name) > 1:
        matching += nsmallest(
            most - len(matching),
            _scattered(listed, name, around),
            key=lambda match: (len(match[1].name), match[1].name),
        )
    return matching


def _scattered(files: list[tuple[W, Searched]], name: str, around: list[str]) -> Iterator[tuple[W, IndexedSymbol]]:
    """The symbols that have the characters of a name in their order, and not together."""
    pattern = re.compile("[^\n]*?".join(map(re.escape, name)))
    for where, file in files:
        if pattern.search(file.names) is None:
            continue
        for lowered, symbol in zip(file.names.split("\n"), file.entry.symbols, strict=False):
            if name not in lowered and pattern.search(lowered) is not None and _is_in(symbol, around):
                yield where, symbol


def _is_in(symbol: IndexedSymbol, around: list[str]) -> bool:
    """Whether a symbol stands in what is called so."""
    if not around:
        return True
    tables = symbol.container.lower().split("::")[-len(around) :]
    return len(tables) == len(around) and all(part in table for part, table in zip(around, tables, strict=True))
