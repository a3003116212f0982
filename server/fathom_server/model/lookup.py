"""Finding symbols: each has its name in one *scope*, the symbol table in which it stands. The splits of a document,
between lines `// -----`, know nothing of each other.

A table is begun by an item, and goes on behind it or ends in it; either way what stands in it has the same scope.

A reference means what has its name in its own scope (`header`, `symbol`), as MLIR has it. Where a person asks what is
meant (`meant`), a name in the wrong table still leads to what has it: in the nearest table around that does, else
anywhere in its split of the document. What a fact asks is no concern of those who ask for the fact, so facts call each
other's functions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TypeAlias

from fathom.diagnostics import VERIFY, Diagnostic
from fathom.ir.operation import MODULE, Span
from fathom.records import NamedTuple
from fathom.syntax.events import AliasEvent, MetadataEvent
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom_server.model.queries import NONE, fact
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import (
    Header,
    OuterValue,
    Symbol,
    Unit,
    ends_in,
    header_of,
    item_of,
    open_tables,
    symbols_of,
    table_at,
    tables_of,
)


@fact(lambda reach: reach.around)
def is_divided(snapshot: Snapshot) -> bool:
    """Whether lines `// -----` divide the document. Where none does, this stands for what would be so many facts as
    there are items."""
    return bool(snapshot.tree.dividers)


def split_of(snapshot: Snapshot, item: Item) -> Item | None:
    """The line `// -----` that begins the split of the document in which an item stands; None where none does, and
    of an item of a former version."""
    return _split_of(snapshot, item) if is_divided(snapshot) else None


@fact(lambda reach: reach.around)
def _split_of(snapshot: Snapshot, item: Item) -> Item | None:
    tree = snapshot.tree
    if not tree.dividers:
        return None
    try:
        return tree.split_of(tree.index_of(item))
    except ValueError:
        return None


@fact(lambda reach: reach.names)
def named(snapshot: Snapshot, name: str) -> tuple[Symbol, ...]:
    """The symbols of a name, without `@`, in the order of the text."""
    homonyms = snapshot.symbols.get(name, ())
    if len(homonyms) < 2:
        return homonyms
    place = {symbol.item: snapshot.tree.index_of(symbol.item) for symbol in homonyms}
    return tuple(sorted(homonyms, key=lambda symbol: (place[symbol.item], symbol.start)))


class Beginning(NamedTuple):
    """Where a symbol table begins, or a split of the document: at an offset of an item."""

    item: Item
    start: int


Scope: TypeAlias = "tuple[Beginning, ...]"
"""What is around a place: the line that begins its split, if any, and the symbol tables, the outermost first."""


def split_in(scope: Scope) -> Item | None:
    """The line `// -----` that begins the split of the document in which a scope is; None where none does."""
    first = scope[0] if scope else None
    return first.item if first is not None and first.start == 0 and first.item.begins_split else None


def tables_in(scope: Scope) -> Scope:
    """The symbol tables of a scope, the outermost first."""
    return scope if split_in(scope) is None else scope[1:]


def scope_of(snapshot: Snapshot, item: Item) -> Scope:
    """The scope in which an item stands."""
    return _scope_of(snapshot, item) if item.frame.containers or is_divided(snapshot) else ()


@fact(lambda reach: reach.around)
def _scope_of(snapshot: Snapshot, item: Item) -> Scope:
    split, tables = _split_of.function(snapshot, item), tables_around.function(snapshot, item)
    return tables if split is None else (Beginning(split, 0), *tables)


@fact(lambda reach: reach.names)
def by_scope(snapshot: Snapshot, name: str) -> dict[Scope, tuple[Symbol, ...]]:
    """The symbols of a name, for each scope that has any in the order of the text."""
    scoped: dict[Scope, list[Symbol]] = {}
    for defined in named.function(snapshot, name):
        scoped.setdefault(_around(_scope_of.function(snapshot, defined.item), defined), []).append(defined)
    return {scope: tuple(symbols) for scope, symbols in scoped.items()}


def scope_of_symbol(snapshot: Snapshot, symbol: Symbol) -> Scope:
    """The scope in which a symbol has its name: where its item stands, or in tables that this begins."""
    return _around(scope_of(snapshot, symbol.item), symbol)


def scope_of_value(snapshot: Snapshot, item: Item, value: OuterValue) -> Scope:
    """The scope in which a value of an item has its name."""
    return _within(scope_of(snapshot, item), item, value.tables, value.left)


def scopes_beside(snapshot: Snapshot, item: Item) -> Iterator[Scope]:
    """The scopes of what stands in an item beside functions: that of the item, of each table that it opens, and those
    around each table that it ends."""
    scope = scope_of(snapshot, item)
    yield scope
    for table in tables_of(item):
        if table.is_open:
            yield _within(scope, item, table.within, table.left)
    for left in range(1, len(ends_in(item)) + 1):
        yield _within(scope, item, (), left)


def scope_in(snapshot: Snapshot, table: Symbol) -> Scope:
    """The scope of what stands in a symbol that is a table."""
    return (*scope_of_symbol(snapshot, table), Beginning(table.item, table.start))


def scope_at(snapshot: Snapshot, item: Item, offset: int) -> Scope:
    """The scope around an offset of an item."""
    scope, table = scope_of(snapshot, item), table_at(item, offset)
    if table is not None:
        return _within(scope, item, table.within, table.left)
    return _within(scope, item, (), sum(end <= offset for end in ends_in(item)))


def scope_behind(snapshot: Snapshot, item: Item) -> Scope:
    """The scope behind the tables that an item opens for what follows it; if it opens none, that of its symbols."""
    scope = scope_of(snapshot, item)
    innermost = next((table for table in reversed(tables_of(item)) if table.is_open), None)
    if innermost is not None:
        return _within(scope, item, innermost.within, innermost.left)
    first = next((behind for behind in symbols_of(item) if not behind.tables), None)
    return _around(scope, first) if first is not None else scope


def _around(scope: Scope, symbol: Symbol) -> Scope:
    """The scope of a symbol whose item stands in one."""
    return _within(scope, symbol.item, symbol.tables, symbol.left)


def _within(scope: Scope, item: Item, tables: tuple[int, ...], left: int) -> Scope:
    return (*scope[: len(scope) - left], *(Beginning(item, start) for start in tables))


@fact(lambda reach: reach.names)
def headers(snapshot: Snapshot, name: str) -> dict[Scope, tuple[Header, ...]]:
    """The headers of the symbols of a name: what others see of them, whatever changes in their bodies."""
    return {scope: tuple(map(header_of, symbols)) for scope, symbols in by_scope.function(snapshot, name).items()}


def symbol(snapshot: Snapshot, scope: Scope, name: str) -> Symbol | None:
    """The symbol that `@name` means in a scope."""
    return next(iter(by_scope(snapshot, name).get(scope, ())), None)


def header(snapshot: Snapshot, scope: Scope, name: str) -> Header | None:
    """The header of the symbol that `@name` means in a scope."""
    return next(iter(headers(snapshot, name).get(scope, ())), None)


def meant(snapshot: Snapshot, item: Item, offset: int, path: Sequence[str]) -> Symbol | None:
    """The symbol that `@a::@b` leads to from an offset of an item: `b` in the table that is `a`. None for no names."""
    if not path:
        return None
    target = _named_around(snapshot, item, offset, path[0])
    for name in path[1:]:
        if target is None:
            return None
        target = symbol(snapshot, scope_in(snapshot, target), name)
    return target


def _named_around(snapshot: Snapshot, item: Item, offset: int, name: str) -> Symbol | None:
    """The symbol that a name means from an offset of an item: the nearest around it, or else one anywhere."""
    known = by_scope(snapshot, name)
    around = scope_at(snapshot, item, offset)
    outermost = len(around) - len(tables_in(around))
    nearest = (known[around[:depth]] for depth in range(len(around), outermost - 1, -1) if around[:depth] in known)
    anywhere = (symbols for scope, symbols in known.items() if split_in(scope) is split_in(around))
    return next(chain(nearest, anywhere), (None,))[0]


@fact(lambda reach: reach.around)
def tables_around(snapshot: Snapshot, item: Item) -> Scope:
    """The symbol tables around an item, the outermost first; none of an item of a former version."""
    missing, items = item.frame.containers, snapshot.tree.items
    if not missing or item not in items:
        return ()
    index = items.index_of(item)
    number = items.chunk_of(index)
    around: Scope = ()
    here = _opened(items.chunks[number].elements[: index - items.starts[number]])
    for before in chain([here], (chunk.known(_opened_in) for chunk in reversed(items.chunks[:number]))):
        around = before.tables[: max(missing - before.kept, 0)] + around
        missing = min(missing, before.kept)
        if not missing:
            break
    return around


class _Opened(NamedTuple):
    """What some items do to the tables that are open before them: the outermost `kept` stay, and then `tables` of their
    own are open."""

    kept: int
    tables: Scope


def _opened_in(chunk: Chunk[Item]) -> _Opened:
    return _opened(chunk.elements)


def _opened(items: Sequence[Item]) -> _Opened:
    kept = min((item.frame.containers - len(ends_in(item)) for item in items), default=sys.maxsize)
    opened: list[Beginning] = []
    for item in items:
        del opened[item.frame.containers - len(ends_in(item)) - kept :]
        # What is opened stays open for the items that follow; a region that is none of a table is never left open.
        opened += [Beginning(item, start) for start in open_tables(item)]
    return _Opened(kept, tuple(opened))


# ---- roots


def modules_around(snapshot: Snapshot, scope: Scope) -> int:
    """In how many modules inside the root what has a scope stands; none where something else is around it as well."""
    inside = tables_in(scope)
    if not is_in_modules(inside):
        return 0
    return len(inside) - (inside[:1] == (root(snapshot, split_in(scope)),))


def is_in_modules(tables: Scope) -> bool:
    """Whether none but modules are among some tables."""
    return all(_op_name(table) == MODULE for table in tables)


def is_root(snapshot: Snapshot, item: Item) -> bool:
    """Whether an item is the root, all of it."""
    whole = root(snapshot, split_of(snapshot, item)) if tables_of(item) and not open_tables(item) else None
    return whole is not None and whole.item is item


@fact(lambda reach: reach.splits)
def root(snapshot: Snapshot, split: Item | None) -> Beginning | None:
    """The module that a split of the document consists of, which is the root then, as for MLIR's tools; None where it
    consists of anything else."""
    tree = snapshot.tree
    around = tree.split_around(tree.index_of(split) if split is not None else 0)
    items = tree.items if len(around) == len(tree.items) else tree.items[around.start : around.stop]
    tops = [item for top in items.known(_tops) for item in top]
    if len(tops) != 1 or any(not other.depth and other.op_name != MODULE for other in symbols_of(tops[0])):
        return None
    outermost = [table.start for table in tables_of(tops[0]) if not table.tables and table.op_name == MODULE]
    return Beginning(tops[0], outermost[0]) if len(outermost) == 1 else None


def _tops(chunk: Chunk[Item]) -> tuple[Item, ...]:
    """The first items of a chunk that define something at the top level, but aliases."""
    return tuple(islice(filter(_has_operations, chunk.elements), 2))


def _has_operations(item: Item) -> bool:
    if item.frame.containers:
        return any(not defined.depth for defined in symbols_of(item))
    events = item.pieces[max(item.first_statement, 0)].shape.events
    return any(not isinstance(event, (AliasEvent, MetadataEvent)) for event in events)


def _op_name(beginning: Beginning) -> str:
    item, start = beginning
    return next((table.op_name for table in tables_of(item) if table.start == start), "")


@fact(lambda reach: reach.names)
def is_repeated(snapshot: Snapshot, name: str) -> bool:
    """Whether there is more than one symbol of a name."""
    return name in snapshot.symbols.repeated


def _names_of(item: Item) -> list[str]:
    return [defined.name for defined in symbols_of(item)]


@fact(lambda reach: reach.names, by=_names_of)
def redefinitions(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """The symbols of an item that an earlier one of the same table has the name of; none of an item that is gone. What
    stands in a table that ends in the item is known to the verifier."""
    diagnostics: list[Diagnostic] = []
    for defined in symbols_of(item):
        if defined.is_enclosed:
            continue
        scope = _around(_scope_of.function(snapshot, item), defined)
        # There may be thousands of a name, which are gone through once for all of them.
        if by_scope(snapshot, defined.name).get(scope, (defined,))[0] != defined:
            span = Span(defined.name_start, defined.name_end)
            diagnostics.append(Diagnostic(f"redefinition of symbol named '{defined.name}'", span, "error", VERIFY))
    return tuple(diagnostics)


def _names_in(_scope: Scope, parts: tuple[Unit | Header, ...]) -> list[str]:
    return [name for part in parts for name in (_names_of(part) if isinstance(part, Item) else (part.name,))]


@fact(lambda reach: reach.names if reach.moves else NONE, by=_names_in)
def text_order(snapshot: Snapshot, scope: Scope, parts: tuple[Unit | Header, ...]) -> tuple[int, ...]:
    """The indices of units, and of headers that a scope has, in the order in which they stand in the text; none if one
    of them is gone."""
    places: list[tuple[int, int]] = []
    for part in parts:
        unit = symbol(snapshot, scope, part.name) if isinstance(part, Header) else part
        if unit is None or item_of(unit) not in snapshot.tree.items:
            return ()
        places.append((snapshot.tree.index_of(item_of(unit)), unit.start if isinstance(unit, Symbol) else 0))
    return tuple(sorted(range(len(parts)), key=places.__getitem__))
