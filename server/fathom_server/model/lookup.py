"""Finding symbols: each has its name in one *scope*, the symbol table in which it stands. The splits of a document,
between lines `// -----`, know nothing of each other.

A reference means what has its name in its own scope (`header`, `symbol`), as MLIR has it. Where a person asks what is
meant (`meant`), a name in the wrong table still leads to what has it: in the nearest table around that does, else
anywhere in its split of the document. What a fact asks is no concern of those who ask for the fact, so facts call each
other's functions.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from fathom.diagnostics import VERIFY, Diagnostic
from fathom.ir.operation import Span
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom_server.model.queries import fact
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Header, Symbol, header_of, symbols_of


@fact
def is_divided(snapshot: Snapshot) -> bool:
    """Whether lines `// -----` divide the document. Where none does, this stands for what would be so many facts as
    there are items."""
    return bool(snapshot.tree.dividers)


def split_of(snapshot: Snapshot, item: Item) -> Item | None:
    """The line `// -----` that begins the split of the document in which an item stands; None where none does, and
    of an item of a former version."""
    return _split_of(snapshot, item) if is_divided(snapshot) else None


@fact
def _split_of(snapshot: Snapshot, item: Item) -> Item | None:
    tree = snapshot.tree
    if not tree.dividers or item not in tree.items:
        return None
    return tree.split_of(tree.index_of(item))


@fact
def named(snapshot: Snapshot, name: str) -> tuple[Symbol, ...]:
    """The symbols of a name, without `@`, in the order of the text."""
    found = snapshot.symbols.get(name, ())
    if len(found) < 2:
        return found
    place = {symbol.item: snapshot.tree.index_of(symbol.item) for symbol in found}
    return tuple(sorted(found, key=lambda symbol: (place[symbol.item], symbol.start)))


Scope: TypeAlias = "tuple[Item, ...]"
"""What is around a place: the line that begins its split, if any, and the items that begin the symbol tables, the
outermost first."""


def scope_of(snapshot: Snapshot, item: Item) -> Scope:
    """The scope in which an item stands."""
    return _scope_of(snapshot, item) if item.frame.containers or is_divided(snapshot) else ()


@fact
def _scope_of(snapshot: Snapshot, item: Item) -> Scope:
    split, tables = _split_of.function(snapshot, item), tables_around.function(snapshot, item)
    return tables if split is None else (split, *tables)


@fact
def by_scope(snapshot: Snapshot, name: str) -> dict[Scope, tuple[Symbol, ...]]:
    """The symbols of a name, for each scope that has any in the order of the text."""
    found: dict[Scope, tuple[Symbol, ...]] = {}
    for each in named.function(snapshot, name):
        scope = scope_of_symbol(snapshot, each)
        found[scope] = (*found.get(scope, ()), each)
    return found


def scope_of_symbol(snapshot: Snapshot, symbol: Symbol) -> Scope:
    """The scope in which a symbol has its name: where its item stands, or in tables that this opens."""
    return (*_scope_of.function(snapshot, symbol.item), *[symbol.item] * symbol.inside)


@fact
def headers(snapshot: Snapshot, name: str) -> dict[Scope, tuple[Header, ...]]:
    """The headers of the symbols of a name: what others see of them, whatever changes in their bodies."""
    return {scope: tuple(map(header_of, found)) for scope, found in by_scope.function(snapshot, name).items()}


def scope_within(snapshot: Snapshot, item: Item) -> Scope:
    """The scope in which what an item consists of stands: behind the tables that it opens for what follows it."""
    return (*scope_of(snapshot, item), *[item] * opened_by(item))


def opened_by(item: Item) -> int:
    """How many tables an item opens for what follows it."""
    return max(item.frame_out.containers - item.frame.containers, 0)


def symbol(snapshot: Snapshot, item: Item, name: str) -> Symbol | None:
    """The symbol that `@name` means in an item; in one that opens tables, behind their braces."""
    return next(iter(by_scope(snapshot, name).get(scope_within(snapshot, item), ())), None)


def header(snapshot: Snapshot, item: Item, name: str) -> Header | None:
    """The header of the symbol that `@name` means in an item; in one that opens tables, behind their braces."""
    found = headers(snapshot, name)
    return next(iter(found.get(scope_within(snapshot, item), ())), None) if found else None


def meant(snapshot: Snapshot, item: Item, path: Sequence[str]) -> Symbol | None:
    """The symbol that `@a::@b` leads to from an item: `b` in the table that is `a`. None for no names."""
    if not path:
        return None
    known = by_scope(snapshot, path[-1])
    if len(path) > 1:
        table = meant(snapshot, item, path[:-1])
        if table is None:
            return None
        inner = (*scope_of(snapshot, table.item), *[table.item] * (table.inside + 1))
        return known.get(inner, (None,))[0]
    around = (*scope_of(snapshot, item), item)
    split = split_of(snapshot, item)
    least = 0 if split is None else 1
    nearest = (known[around[:depth]] for depth in range(len(around), least - 1, -1) if around[:depth] in known)
    anywhere = (found for found in known.values() if split_of(snapshot, found[0].item) is split)
    return next(chain(nearest, anywhere), (None,))[0]


@fact
def tables_around(snapshot: Snapshot, item: Item) -> tuple[Item, ...]:
    """The items that begin the symbol tables around an item, the outermost first; none of an item of a former
    version."""
    missing, items = item.frame.containers, snapshot.tree.items
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
    kept = min((item.frame.containers for item in items), default=sys.maxsize)
    opened: list[Item] = []
    for item in items:
        del opened[item.frame.containers - kept :]
        # What is opened stays open for the items that follow; a region that is none of a table is never left open.
        opened += [item] * (item.frame_out.containers - item.frame.containers)
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
        first = by_scope.function(snapshot, each.name)[scope_of_symbol(snapshot, each)][0]
        if first != each:
            span = Span(each.name_start, each.name_end)
            found.append(Diagnostic(f"redefinition of symbol named '{each.name}'", span, "error", VERIFY))
    return tuple(found)


@fact
def text_order(snapshot: Snapshot, scope: Item, parts: tuple[Item | Header, ...]) -> tuple[int, ...]:
    """The indices of items, and of headers that an item refers to, in the order in which they stand in the text."""
    items = [_item_of(snapshot, scope, part) for part in parts]
    places = [snapshot.tree.index_of(item) for item in items]
    return tuple(sorted(range(len(parts)), key=places.__getitem__))


def _item_of(snapshot: Snapshot, scope: Item, part: Item | Header) -> Item:
    if isinstance(part, Item):
        return part
    found = symbol(snapshot, scope, part.name)
    assert found is not None, "a header is that of a symbol"
    return found.item
