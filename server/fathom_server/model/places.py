"""What stands at a place of a snapshot: the token, and the value, block, operation or symbol that it names."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import symbol_name
from fathom.ir.operation import Block, Operation, Value
from fathom.records import record
from fathom.syntax.lexer import Token
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lookup import meant
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol, symbols_of


@record
class Spot:
    """The token at an offset, in its item; `start` and `end` are its offsets in the document. `index` is that of the
    token in its statement, which begins at `piece_start`, in characters from the beginning of the item."""

    item: Item
    item_start: int
    piece: Piece
    piece_start: int
    index: int
    token: Token
    start: int
    end: int


def spot_at(snapshot: Snapshot, offset: int) -> Spot | None:
    """The token under an offset, or that ends there; None on white space, in a comment, or in an empty document."""
    items = snapshot.tree.items
    if not items:
        return None
    index, start = items.find_offset(offset)
    spot = _in_item(items[index], start, offset)
    if spot is None and index > 0 and offset == start:
        before = items[index - 1]
        spot = _in_item(before, start - before.length, offset)
    return spot


def _in_item(item: Item, item_start: int, offset: int) -> Spot | None:
    best: Spot | None = None
    number, begin = item.pieces.find_offset(offset - item_start)
    here = item.pieces[number]
    # Where one statement ends another begins.
    before = [(item.pieces[number - 1], begin - item.pieces[number - 1].length)] if number else []
    for piece, start in [*before, (here, begin)]:
        first = item_start + start
        if not first <= offset <= first + piece.length:
            continue
        for position, token, low, high in piece.tokens_at(offset - first):
            spot = Spot(item, item_start, piece, start, position, token, first + low, first + high)
            # Between two tokens, a name or word is what is meant, not the punctuation beside it.
            if best is None or best.token.kind == "PUNCT" or (offset < spot.end and token.kind != "PUNCT"):
                best = spot
    return best


def value_at(snapshot: Snapshot, spot: Spot) -> Value | None:
    """The value whose name stands at a spot, at its definition or at a use."""
    return elaborated(snapshot, spot.item).value_at(spot.piece, spot.index)


def block_at(snapshot: Snapshot, spot: Spot) -> Block | None:
    return elaborated(snapshot, spot.item).block_at(spot.piece, spot.index)


def operation_at(snapshot: Snapshot, spot: Spot) -> Operation | None:
    """The operation whose name stands at a spot."""
    return elaborated(snapshot, spot.item).operation_at(spot.piece, spot.index)


def symbol_at(snapshot: Snapshot, spot: Spot) -> Symbol | None:
    """The symbol whose name stands at a spot, at its definition or where it is referred to."""
    at = spot.start - spot.item_start
    defined = next((symbol for symbol in symbols_of(spot.item) if symbol.name_start == at), None)
    if defined is not None or spot.token.kind != "SYMBOL":
        return defined
    return meant(snapshot, spot.item, at, path_to(spot.piece.tokens(), spot.index))


def path_to(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    """The names without `@` in `@a::@b`, up to the one at an index; none where one of them is no name."""
    try:
        path = [symbol_name(tokens[index].text)]
        while index >= 2 and tokens[index - 1].text == "::" and tokens[index - 2].kind == "SYMBOL":
            index -= 2
            path.append(symbol_name(tokens[index].text))
    except ElaborationFailure:
        return ()
    return tuple(reversed(path))
