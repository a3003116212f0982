"""Finding symbols: a name is looked up from an item, in the symbol table nearest to it that has the name.

Where a name stands once in the document it is found wherever that is, so that a name in the wrong table still leads to
what was meant.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from fathom.diagnostics import VERIFY, Diagnostic
from fathom.ir.operation import Span
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom_server.model.queries import fact
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Header, Symbol, header_of, symbols_of


@fact
def named(snapshot: Snapshot, name: str) -> tuple[Symbol, ...]:
    """The symbols of a name, without `@`, in the order of the text."""
    found = snapshot.symbols.get(name, ())
    if len(found) < 2:
        return found
    place = {symbol.item: snapshot.tree.index_of(symbol.item) for symbol in found}
    return tuple(sorted(found, key=lambda symbol: place[symbol.item]))


@fact
def headers(snapshot: Snapshot, name: str) -> tuple[Header, ...]:
    """The headers of the symbols of a name: what others see of them, whatever changes in their bodies."""
    return tuple(map(header_of, named(snapshot, name)))


def symbol(snapshot: Snapshot, scope: Item | None, path: Sequence[str]) -> Symbol | None:
    """The symbol that `@a::@b` names in an item: `b` in the table that is `a`. Without an item, from the top level."""
    index = _index(snapshot, scope, path)
    return named(snapshot, path[-1])[index] if index is not None else None


def header(snapshot: Snapshot, scope: Item | None, path: Sequence[str]) -> Header | None:
    """The header of the symbol that a path names in an item."""
    index = _index(snapshot, scope, path)
    return headers(snapshot, path[-1])[index] if index is not None else None


def _index(snapshot: Snapshot, scope: Item | None, path: Sequence[str]) -> int | None:
    """Which of the symbols with the last name of a path is meant."""
    if len(path) == 1:
        count = len(headers(snapshot, path[0]))
        if count < 2:
            return 0 if count else None
        return nearest(snapshot, scope, path[0])
    table = symbol(snapshot, scope, path[:-1])
    return within(snapshot, table.item, path[-1]) if table is not None else None


@fact
def nearest(snapshot: Snapshot, scope: Item | None, name: str) -> int:
    """Which of several symbols of a name is nearest: in the innermost table around an item that has one; else the
    first."""
    around = (*tables_around(snapshot, scope), scope) if scope is not None else ()
    found = [tables_around(snapshot, each.item) for each in named(snapshot, name)]
    for depth in range(len(around), -1, -1):
        if around[:depth] in found:
            return found.index(around[:depth])
    return 0


@fact
def within(snapshot: Snapshot, table: Item, name: str) -> int | None:
    """Which of the symbols of a name stands directly in the table that an item begins."""
    for index, each in enumerate(named(snapshot, name)):
        around = tables_around(snapshot, each.item)
        if around and around[-1] is table:
            return index
    return None


@fact
def tables_around(snapshot: Snapshot, item: Item) -> tuple[Item, ...]:
    """The items that begin the symbol tables around an item, the outermost first; none of an item of a former
    version."""
    missing, items = item.frame.depth, snapshot.tree.items
    if not missing or item not in items:
        return ()
    index = items.index_of(item)
    number = items.chunk_of(index)
    around: tuple[Item, ...] = ()
    here = _opened(items.chunks[number].elements[: index - items.starts[number]])
    for before in chain([here], (chunk.known(_opened_in) for chunk in reversed(items.chunks[:number]))):
        around = before.items[: max(missing - before.kept, 0)] + around
        missing = min(missing, before.kept)
        if not missing:
            break
    return around


class _Opened(NamedTuple):
    """What some items do to the tables that are open before them: the outermost `kept` stay, and then those that the
    `items` begin are open."""

    kept: int
    items: tuple[Item, ...]


def _opened_in(chunk: Chunk[Item]) -> _Opened:
    return _opened(chunk.elements)


def _opened(items: Sequence[Item]) -> _Opened:
    kept = min((item.frame.depth for item in items), default=sys.maxsize)
    opened: list[Item] = []
    for item in items:
        del opened[item.frame.depth - kept :]
        # What is opened stays open for the items that follow; a region that is none of a table is never left open.
        opened += [item] * (item.frame_out.depth - item.frame.depth)
    return _Opened(kept, tuple(opened))


@fact
def repeated(snapshot: Snapshot) -> frozenset[str]:
    """The names of which there is more than one symbol."""
    return snapshot.symbols.repeated


@fact
def redefinitions(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """The symbols of an item that an earlier one of the same table has the name of."""
    found: list[Diagnostic] = []
    for each in symbols_of(item):
        first = next(
            other
            for other in named(snapshot, each.name)
            if other.depth == each.depth and tables_around(snapshot, other.item) == tables_around(snapshot, item)
        )
        if first != each:
            span = Span(each.name_start, each.name_end)
            found.append(Diagnostic(f"redefinition of symbol named '{each.name}'", span, "error", VERIFY))
    return tuple(found)


@fact
def text_order(snapshot: Snapshot, parts: tuple[Item | Header, ...]) -> tuple[int, ...]:
    """The indices of items and headers in the order in which they stand in the text."""
    items = [_item_of(snapshot, part) for part in parts]
    places = [snapshot.tree.index_of(item) for item in items]
    return tuple(sorted(range(len(parts)), key=places.__getitem__))


def _item_of(snapshot: Snapshot, part: Item | Header) -> Item:
    if isinstance(part, Item):
        return part
    return next(each.item for each in named(snapshot, part.name) if header_of(each) == part)
