"""What nobody uses, taken away: an operation whose results are not used and that does nothing else, or a function that
only its part of the document can see."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.attributes import StringAttr
from fathom.rewriting.effects import is_dead
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal
from fathom_server.features.item_text import ItemText
from fathom_server.features.navigation import references
from fathom_server.model.elaboration import operation_of
from fathom_server.model.scoping import Symbol, symbols_of
from fathom_server.model.snapshot import Snapshot


def offered(selection: Selection) -> Iterator[Offer]:
    """On such an operation, or on the name of such a function."""
    item, op = selection.sound, selection.operation
    if item is None or selection.start != selection.end:
        return
    symbol = _symbol(selection)
    if symbol is not None:
        if _is_private(item, symbol) and not _uses(selection.snapshot, item, symbol):
            yield Offer(f"Remove `@{symbol.name}`, which is not used", (selection.start,))
    elif op is not None and op.results and is_dead(op):
        names = ", ".join(item.known.sites_of(op)[0].text(token) for token, _ in item.result_groups(op))
        yield Offer(f"Remove `{names or op.name}`, which is not used", (selection.start,))


def removed(snapshot: Snapshot, place: int) -> Made:
    """The edit that takes it away, with its line if nothing else stands there."""
    selection = Selection(snapshot, place, place)
    item, op, symbol = selection.sound, selection.operation, _symbol(selection)
    if item is None:
        return Refusal("there is a mistake in it")
    if symbol is not None:
        return [item.removed(symbol.start, symbol.full_end)]
    if op is None or not is_dead(op):
        return Refusal("it is used")
    extent = item.extent(op)
    return [item.removed(extent.start, extent.end)]


def _symbol(selection: Selection) -> Symbol | None:
    """The symbol whose name is selected where it is defined."""
    item, spot = selection.item, selection.spot
    for symbol in symbols_of(item.item) if item is not None and spot is not None else ():
        if spot is not None and item is not None and spot.start == item.base + symbol.name_start:
            return symbol
    return None


def _is_private(item: ItemText, symbol: Symbol) -> bool:
    op = operation_of(item.known, symbol)
    visibility = op.properties.get("sym_visibility") if op is not None else None
    return isinstance(visibility, StringAttr) and visibility.value in ("private", "nested")


def _uses(snapshot: Snapshot, item: ItemText, symbol: Symbol) -> bool:
    """Whether anything but the symbol itself names it."""
    places = references(snapshot, item.base + symbol.name_start, False)
    return any(not item.base + symbol.start <= place.start < item.base + symbol.full_end for place in places)
