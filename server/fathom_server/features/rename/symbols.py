"""Other names for symbols, in their document."""

from __future__ import annotations

from fathom.syntax.tree import Item
from fathom_server.features.edits import Replacement
from fathom_server.features.mentions import Mention, definitions_in, of_symbol, symbol_places
from fathom_server.features.rename.new_names import spelled
from fathom_server.features.rename.places import line_of
from fathom_server.model.scoping import Scope, Symbol, meant, scope_at, scope_in, scope_of_symbol
from fathom_server.model.snapshot import Snapshot


def edits(snapshot: Snapshot, around: Item, former: str, symbol: Symbol | None, name: str) -> list[Replacement]:
    """What gives a symbol another name in its document; where nothing defines it, what stands for it."""
    return [_edit(snapshot, mention, name) for mention in of_symbol(snapshot, around, former, symbol)]


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
    home = scope_of_symbol(snapshot, symbol)
    for place, item, path in symbol_places(snapshot, around, name, lambda _: True):
        offset = place.start - snapshot.start_of(item)
        if not path:
            other = definitions_in(item, name)[offset]
            if scope_of_symbol(snapshot, other) == home:
                return _said(snapshot, "is defined", name, place)
        elif _would_mean(snapshot, item, offset, path, home):
            return f"{_said(snapshot, 'is used', name, place)}, and would mean this symbol"
    for place, item, path in symbol_places(snapshot, around, former, lambda written: written == symbol):
        offset = place.start - snapshot.start_of(item)
        if len(path) == 1 and _is_hidden(snapshot, item, offset, name, home):
            return f"what is named in line {line_of(snapshot, place.start)} would be another '{spelled(name)}'"
    return None


def _said(snapshot: Snapshot, what: str, name: str, place: Mention) -> str:
    return f"'{spelled(name)}' {what} in line {line_of(snapshot, place.start)} already"


def _would_mean(snapshot: Snapshot, item: Item, offset: int, path: tuple[str, ...], home: Scope) -> bool:
    """Whether a path of names would lead to a symbol in a table if it had the last name."""
    other = meant(snapshot, item, offset, path)
    if len(path) == 1:
        is_near = scope_at(snapshot, item, offset)[: len(home)] == home
        return is_near and (other is None or len(scope_of_symbol(snapshot, other)) < len(home))
    owner = meant(snapshot, item, offset, path[:-1])
    return other is None and owner is not None and scope_in(snapshot, owner) == home


def _is_hidden(snapshot: Snapshot, item: Item, offset: int, name: str, home: Scope) -> bool:
    """Whether a name would mean another symbol at a place than one in a table that gets it."""
    nearer = meant(snapshot, item, offset, (name,))
    if nearer is None:
        return False
    around, other = scope_at(snapshot, item, offset), scope_of_symbol(snapshot, nearer)
    is_near = around[: len(home)] == home
    return not is_near or (around[: len(other)] == other and len(other) > len(home))
