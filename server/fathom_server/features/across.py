"""Where names are declared, defined and used in all files of the workspace."""

from __future__ import annotations

from collections.abc import Iterable

from fathom.ir.operation import Span
from fathom_server.features.linked import (
    Placed,
    declarations_elsewhere,
    defined_as,
    definitions_elsewhere,
    place_of,
    same_symbols,
)
from fathom_server.features.mentions import of_symbol
from fathom_server.features.navigation import definition, references
from fathom_server.features.workspace import Place, Workspace
from fathom_server.model.places import path_to, spot_at, symbol_at
from fathom_server.model.scoping import Symbol, is_declaration
from fathom_server.model.snapshot import Snapshot


def definitions(snapshot: Snapshot, workspace: Workspace, offset: int) -> list[Place]:
    """Where the name at an offset is defined: of what the file only declares, in another file if it is defined there.
    So it is with the name of a symbol that stands for nothing in its own file."""
    symbol = _symbol_at(snapshot, offset)
    if symbol is not None:
        elsewhere = definitions_elsewhere(snapshot, workspace, symbol)
        return _places(elsewhere) if elsewhere else [place_of(snapshot, symbol)]
    return _here(snapshot, definition(snapshot, offset)) or _places(_by_name(snapshot, workspace, offset))


def declarations(snapshot: Snapshot, workspace: Workspace, offset: int) -> list[Place]:
    """Where the name at an offset is declared; of what is defined and not declared, the definition."""
    symbol = _symbol_at(snapshot, offset)
    if symbol is None:
        return definitions(snapshot, workspace, offset)
    return _places(declarations_elsewhere(snapshot, workspace, symbol)) or [place_of(snapshot, symbol)]


def implementations(snapshot: Snapshot, workspace: Workspace, offset: int) -> list[Place]:
    """The definitions, in any file, of the symbol at an offset."""
    symbol = _symbol_at(snapshot, offset)
    if symbol is None:
        return _places(_by_name(snapshot, workspace, offset))
    if is_declaration(snapshot, symbol):
        return _places(definitions_elsewhere(snapshot, workspace, symbol))
    return [place_of(snapshot, symbol)]


def all_references(snapshot: Snapshot, workspace: Workspace, offset: int, include_declaration: bool) -> list[Place]:
    """Where the name at an offset is used: in its file, and in those others where it is certainly the same."""
    everywhere = _here(snapshot, references(snapshot, offset, include_declaration))
    symbol = _symbol_at(snapshot, offset)
    for other, same in same_symbols(snapshot, workspace, symbol) if symbol is not None else ():
        places = sorted(of_symbol(other, same.item, same.name, same), key=lambda mention: mention.start)
        everywhere += (
            Place(other, place.start, place.end) for place in places if include_declaration or not place.is_definition
        )
    return everywhere


def _symbol_at(snapshot: Snapshot, offset: int) -> Symbol | None:
    spot = spot_at(snapshot, offset)
    is_name = spot is not None and spot.token.kind in ("SYMBOL", "STRING")
    return symbol_at(snapshot, spot) if spot is not None and is_name else None


def _by_name(snapshot: Snapshot, workspace: Workspace, offset: int) -> list[Placed]:
    """What other files define by the name at an offset, which stands for nothing."""
    spot = spot_at(snapshot, offset)
    path = path_to(spot.piece.tokens(), spot.index) if spot is not None and spot.token.kind == "SYMBOL" else ()
    return defined_as(snapshot, workspace, path[0]) if len(path) == 1 else []


def _places(placed: Iterable[Placed]) -> list[Place]:
    return [place_of(snapshot, symbol) for snapshot, symbol in placed]


def _here(snapshot: Snapshot, spans: Iterable[Span]) -> list[Place]:
    return [Place(snapshot, span.start, span.end) for span in spans]
