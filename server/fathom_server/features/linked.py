"""What a symbol of one file is in others of the workspace (`model/linkage.py` says which may be).

The declarations of a name, wherever they stand, mean the definition of that name if there is one and no other, and its
type is theirs. Where several files define it publicly, as tests and examples do, nothing tells which is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom_server.features.workspace import Place, Workspace
from fathom_server.model.scoping import Symbol, declaration_of, is_declaration, is_function, is_linked
from fathom_server.model.snapshot import Snapshot

Placed = tuple[Snapshot, Symbol]
"""A symbol with its document."""


def place_of(snapshot: Snapshot, symbol: Symbol) -> Place:
    """Where the name of a symbol stands at its definition."""
    start = snapshot.start_of(symbol.item)
    return Place(snapshot, start + symbol.name_start, start + symbol.name_end)


def same_symbols(snapshot: Snapshot, workspace: Workspace, symbol: Symbol) -> list[Placed]:
    """The symbols of other files that are certainly the same as one."""
    others = list(_others(snapshot, workspace, symbol))
    everywhere = [(snapshot, symbol), *others]
    defined = [place for place in everywhere if not is_declaration(*place)]
    if len(defined) != 1:
        return []
    (definition,) = defined
    if definition[1] is symbol:
        return [other for other in others if _agree(definition, other)]
    if not _agree(definition, (snapshot, symbol)):
        return []
    return [other for other in others if other is definition or _agree(definition, other)]


def definitions_elsewhere(snapshot: Snapshot, workspace: Workspace, symbol: Symbol) -> list[Placed]:
    """The definitions in other files that a declaration may mean."""
    if not is_declaration(snapshot, symbol):
        return []
    elsewhere = [other for other in _others(snapshot, workspace, symbol) if not is_declaration(*other)]
    return [placed for placed in elsewhere if _agree(placed, (snapshot, symbol))] or elsewhere


def declarations_elsewhere(snapshot: Snapshot, workspace: Workspace, symbol: Symbol) -> list[Placed]:
    """The declarations in other files of what a symbol is certainly the definition of."""
    return [placed for placed in same_symbols(snapshot, workspace, symbol) if is_declaration(*placed)]


def defined_as(snapshot: Snapshot, workspace: Workspace, name: str) -> list[Placed]:
    """The definitions in other files of a name that stands for nothing in its own."""
    return [placed for placed in _named(snapshot, workspace, name) if not is_declaration(*placed)]


def _others(snapshot: Snapshot, workspace: Workspace, symbol: Symbol) -> Iterator[Placed]:
    """The symbols of other files that have the name of one, if that may be theirs."""
    if is_linked(snapshot, symbol):
        yield from _named(snapshot, workspace, symbol.name)


def _named(snapshot: Snapshot, workspace: Workspace, name: str) -> Iterator[Placed]:
    for uri in workspace.linked(name):
        other = workspace.snapshot(uri) if uri != snapshot.uri else None
        if other is not None:
            yield from ((other, symbol) for symbol in linked_in(other, name))


def linked_in(snapshot: Snapshot, name: str) -> Iterator[Symbol]:
    """The symbols of a name in a document that may be those of other files."""
    return (symbol for symbol in snapshot.symbols.get(name, ()) if is_linked(snapshot, symbol))


def _agree(definition: Placed, other: Placed) -> bool:
    """Whether two symbols may be one, by their types. Those of different operations are not compared: a function and
    what became of it when it was lowered may be one."""
    (snapshot, symbol), (elsewhere, declared) = definition, other
    if symbol.op_name != declared.op_name or not is_function(snapshot, symbol):
        return True
    known, said = declaration_of(snapshot, symbol), declaration_of(elsewhere, declared)
    if known is None or said is None:
        return True
    return known.attribute("function_type") == said.attribute("function_type")
