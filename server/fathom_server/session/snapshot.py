"""What a request is answered from: one version of one document, and what stands at a place in it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

from fathom.elaborate.elaborated import Place
from fathom.ir.operation import Block, Operation, Value
from fathom.syntax.lexer import Token
from fathom.syntax.tree import Item, SyntaxTree
from fathom_server.session.analysis import Analysis, analysis_of
from fathom_server.session.document import Document
from fathom_server.session.settings import Settings


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A version of a document with the settings in force. Offsets count characters from its beginning."""

    document: Document
    settings: Settings

    @property
    def tree(self) -> SyntaxTree:
        return self.document.tree

    def frozen(self) -> Snapshot:
        """The same version, which no edit changes, for work on the whole text beside the event loop. What belongs to
        single items, their symbols and analyses, is not for such work."""
        return replace(self, document=copy(self.document))


@dataclass(frozen=True, slots=True)
class Spot:
    """The token at an offset, in its item; `start` and `end` are its offsets in the document."""

    item: Item
    item_start: int
    place: Place
    token: Token
    start: int
    end: int


def spot_at(snapshot: Snapshot, offset: int) -> Spot | None:
    """The token under an offset, or that ends there; None on white space, in a comment, or in an empty document."""
    tree = snapshot.tree
    if not tree.items:
        return None
    index = tree.item_at_offset(offset)
    spot = _in_item(tree, index, offset)
    if spot is None and index > 0 and offset == tree.start_offsets[index]:
        spot = _in_item(tree, index - 1, offset)
    return spot


def _in_item(tree: SyntaxTree, index: int, offset: int) -> Spot | None:
    item, item_start = tree.items[index], tree.start_offsets[index]
    best: Spot | None = None
    for number, (piece, start) in enumerate(zip(item.pieces, item.starts, strict=False)):
        first = item_start + start
        if not first <= offset <= first + piece.length:
            continue
        for position, (token, (low, high)) in enumerate(zip(piece.tokens(), piece.token_spans(), strict=True)):
            if first + low <= offset <= first + high:
                found = Spot(item, item_start, Place(number, position), token, first + low, first + high)
                # Between two tokens, a name or word is what is meant, not the punctuation beside it.
                if best is None or best.token.kind == "PUNCT" or (offset < found.end and token.kind != "PUNCT"):
                    best = found
    return best


def analyse(snapshot: Snapshot, item: Item) -> Analysis:
    return analysis_of(item, snapshot.document)


def value_at(snapshot: Snapshot, spot: Spot) -> Value | None:
    """The value whose name stands at a spot, at its definition or at a use."""
    elaborated = analyse(snapshot, spot.item).elaborated
    used = elaborated.uses.get(spot.place)
    if used is not None:
        return used
    return next((value for value, place in elaborated.definitions.items() if place == spot.place), None)


def block_at(snapshot: Snapshot, spot: Spot) -> Block | None:
    return analyse(snapshot, spot.item).elaborated.blocks.get(spot.place)


def operation_at(snapshot: Snapshot, spot: Spot) -> Operation | None:
    """The operation whose name stands at a spot."""
    return analyse(snapshot, spot.item).elaborated.op_at.get(spot.place)
