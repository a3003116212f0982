"""Other names for symbols, in their document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from fathom.syntax.tree import Item
from fathom_server.features.edits import Replacement
from fathom_server.features.mentions import Mention, definitions_in, of_symbol, symbol_places
from fathom_server.features.rename.new_names import spelled
from fathom_server.features.rename.places import line_of
from fathom_server.model.inner_symbols import Table, table_at, tables_in
from fathom_server.model.lookup import scope_of, scope_of_symbol
from fathom_server.model.places import meant_at
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol, symbols_of

Around: TypeAlias = "tuple[Item | Table, ...]"
"""The symbol tables around a place, the outermost first, and before them what begins its split."""


def edits(snapshot: Snapshot, around: Item, former: str, symbol: Symbol | None, name: str) -> list[Replacement]:
    """What gives a symbol another name in its document; where nothing defines it, what stands for it."""
    return [_edit(snapshot, each, name) for each in of_symbol(snapshot, around, former, symbol)]


def _edit(snapshot: Snapshot, place: Mention, name: str) -> Replacement:
    line, start = snapshot.tree.line_of(place.start)
    is_string = snapshot.tree.line(line)[place.start - start] == '"'
    return Replacement(place.start, place.end, spelled(name, as_string=is_string))


# ---- what stands against a name


def problem(snapshot: Snapshot, around: Item, former: str, symbol: Symbol | None, name: str) -> str | None:
    """Why a symbol cannot have a name."""
    if name == former:
        return None
    if symbol is None:
        taken = next(symbol_places(snapshot, around, name, lambda _: True), None)
        return _said(snapshot, "is named", name, taken[0]) if taken is not None else None
    home = tables_of(snapshot, symbol)
    for place, item, path in symbol_places(snapshot, around, name, lambda _: True):
        offset = place.start - snapshot.start_of(item)
        if not path:
            other = definitions_in(snapshot, item, name)[offset]
            if tables_of(snapshot, other) == home:
                return _said(snapshot, "is defined", name, place)
        elif _would_mean(snapshot, item, offset, path, home):
            return f"{_said(snapshot, 'is used', name, place)}, and would mean this symbol"
    for place, item, path in symbol_places(snapshot, around, former, lambda found: found == symbol):
        offset = place.start - snapshot.start_of(item)
        if len(path) == 1 and _is_hidden(snapshot, item, offset, name, home):
            return f"what is named in line {line_of(snapshot, place.start)} would be another '{spelled(name)}'"
    return None


def _said(snapshot: Snapshot, what: str, name: str, place: Mention) -> str:
    return f"'{spelled(name)}' {what} in line {line_of(snapshot, place.start)} already"


def _would_mean(snapshot: Snapshot, item: Item, offset: int, path: tuple[str, ...], home: Around) -> bool:
    """Whether a path of names would lead to a symbol in a table if it had the last name."""
    found = meant_at(snapshot, item, offset, path)
    if len(path) == 1:
        is_near = _around(snapshot, item, offset)[: len(home)] == home
        return is_near and (found is None or len(tables_of(snapshot, found)) < len(home))
    owner = meant_at(snapshot, item, offset, path[:-1])
    return found is None and owner is not None and _inside(snapshot, owner) == home


def _is_hidden(snapshot: Snapshot, item: Item, offset: int, name: str, home: Around) -> bool:
    """Whether a name would mean another symbol at a place than one in a table that gets it."""
    found = meant_at(snapshot, item, offset, (name,))
    if found is None:
        return False
    around, other = _around(snapshot, item, offset), tables_of(snapshot, found)
    is_near = around[: len(home)] == home
    return not is_near or (around[: len(other)] == other and len(other) > len(home))


# ---- the tables around a place


def tables_of(snapshot: Snapshot, symbol: Symbol) -> Around:
    """The tables in whose innermost a symbol has its name."""
    if symbol in symbols_of(symbol.item):
        return scope_of_symbol(snapshot, symbol)
    return _around(snapshot, symbol.item, symbol.name_start)


def _inside(snapshot: Snapshot, owner: Symbol) -> Around:
    """The tables around what stands in a symbol that is one."""
    table = next((each for each in tables_in(owner.item, snapshot.context) if each.owner == owner), None)
    if table is not None:
        return (*scope_of(snapshot, owner.item), *_chain(table))
    return (*scope_of_symbol(snapshot, owner), owner.item)


def _around(snapshot: Snapshot, item: Item, offset: int) -> Around:
    """The tables around an offset of an item."""
    return (*scope_of(snapshot, item), *_chain(table_at(item, offset, snapshot.context)))


def _chain(table: Table | None) -> Iterator[Table]:
    if table is not None:
        yield from _chain(table.around)
        yield table
