"""Who calls a function, and whom it calls, in all files of the workspace. Whatever names a function counts as a call of
it, such as an operation that takes its address, or launches it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fathom.ir.operation import Span
from fathom.records import record
from fathom.slices import paced
from fathom_server.features.linked import definitions_elsewhere, same_symbols
from fathom_server.features.mentions import of_symbol
from fathom_server.features.symbols import detail_of
from fathom_server.features.workspace import Workspace
from fathom_server.model.places import path_to, spot_at, symbol_at
from fathom_server.model.scoping import Role, Symbol, meant, role, symbols_of
from fathom_server.model.snapshot import Snapshot


@record(eq=False)
class Function:
    """A function of a file, in offsets of that."""

    snapshot: Snapshot
    symbol: Symbol
    role: Role
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int


@record(eq=False)
class Calls:
    """A function, and the places at which it calls, or is called; in the file of the one that calls."""

    function: Function
    places: tuple[Span, ...]


def prepare(snapshot: Snapshot, workspace: Workspace, offset: int) -> list[Function] | None:
    """The function whose name stands at an offset; its definition in another file if this one only declares it."""
    symbol = _function_at(snapshot, offset)
    return [_defined(snapshot, workspace, symbol)] if symbol is not None else None


def incoming(snapshot: Snapshot, workspace: Workspace, offset: int) -> list[Calls]:
    """Who calls the function whose name stands at an offset."""
    symbol = _function_at(snapshot, offset)
    if symbol is None:
        return []
    callers: dict[tuple[str, int], tuple[Function, list[Span]]] = {}
    for where, same in [(snapshot, symbol), *same_symbols(snapshot, workspace, symbol)]:
        for mention in of_symbol(where, same.item, same.name, same):
            caller = _around(where, mention.start) if not mention.is_definition else None
            if caller is not None:
                function = _function(where, caller)
                _, places = callers.setdefault((where.uri, function.start), (function, []))
                places.append(Span(mention.start, mention.end))
    return _calls(callers.values())


def outgoing(snapshot: Snapshot, workspace: Workspace, offset: int) -> list[Calls]:
    """Whom the function calls whose name stands at an offset."""
    symbol = _function_at(snapshot, offset)
    if symbol is None:
        return []
    callees: dict[tuple[str, int], tuple[Function, list[Span]]] = {}
    for target, span in _named_in(snapshot, symbol):
        function = _defined(snapshot, workspace, target)
        _, places = callees.setdefault((function.snapshot.uri, function.start), (function, []))
        places.append(span)
    return _calls(callees.values())


def _calls(calls: Iterable[tuple[Function, list[Span]]]) -> list[Calls]:
    return [Calls(function, tuple(sorted(places, key=lambda span: span.start))) for function, places in calls]


def _function_at(snapshot: Snapshot, offset: int) -> Symbol | None:
    """The function whose name stands at an offset."""
    spot = spot_at(snapshot, offset)
    if spot is None or spot.token.kind not in ("SYMBOL", "STRING"):
        return None
    symbol = symbol_at(snapshot, spot)
    return symbol if symbol is not None and _is_function(snapshot, symbol) else None


def _is_function(snapshot: Snapshot, symbol: Symbol) -> bool:
    return role(snapshot, symbol) in (Role.FUNCTION, Role.UNKNOWN)


def _around(snapshot: Snapshot, offset: int) -> Symbol | None:
    """The innermost function around an offset."""
    tree = snapshot.tree
    index = tree.item_at_offset(offset)
    item, at = tree.items[index], offset - tree.start(index)
    around = [
        symbol for symbol in symbols_of(item) if symbol.start <= at < symbol.full_end and _is_function(snapshot, symbol)
    ]
    return max(around, key=lambda symbol: symbol.start, default=None)


def _named_in(snapshot: Snapshot, symbol: Symbol) -> Iterator[tuple[Symbol, Span]]:
    """The functions that are named in one, each with a place."""
    item, base = symbol.item, snapshot.start_of(symbol.item)
    first = item.piece_at(symbol.name_end)
    for number in paced(range(first, len(item.pieces))):
        piece, start = item.pieces[number], item.start(number)
        if start >= symbol.full_end:
            return
        if not any("@" in line for line in piece.lines):
            continue
        tokens, spans = piece.tokens(), piece.token_spans()
        for index, token in enumerate(tokens):
            low = start + spans[index][0]
            is_inside = symbol.name_end <= low < symbol.full_end and token.kind == "SYMBOL"
            # Of a path, the last name is that of what is called.
            if not is_inside or (index + 1 < len(tokens) and tokens[index + 1].text == "::"):
                continue
            target = meant(snapshot, item, low, path_to(tokens, index))
            if target is not None and _is_function(snapshot, target):
                yield target, Span(base + low, base + start + spans[index][1])


def _defined(snapshot: Snapshot, workspace: Workspace, symbol: Symbol) -> Function:
    """A function, where it is defined if only one file defines it."""
    elsewhere = definitions_elsewhere(snapshot, workspace, symbol)
    return _function(*elsewhere[0]) if len(elsewhere) == 1 else _function(snapshot, symbol)


def _function(snapshot: Snapshot, symbol: Symbol) -> Function:
    start = snapshot.start_of(symbol.item)
    return Function(
        snapshot,
        symbol,
        role(snapshot, symbol),
        detail_of(symbol),
        start + symbol.start,
        start + max(symbol.full_end, symbol.name_end),
        start + symbol.name_start,
        start + symbol.name_end,
    )
