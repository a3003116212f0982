"""The aliases of a document: collected from its items, resolved where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fathom.elaborate.meaning import Aliases
from fathom.syntax.events import AliasEvent
from fathom.syntax.nodes import Node
from fathom.syntax.tree import Item, Piece


def aliases_of(items: Iterable[Item]) -> Aliases:
    """All aliases that the items define. Of two with one name the last counts."""
    aliases = Aliases()
    for item in items:
        if "aliases" not in item.cache:
            item.cache["aliases"] = list(_aliases_in(item))
        for name, entry in item.cache["aliases"]:
            target = aliases.types if name.startswith("!") else aliases.attributes
            target[name[1:]] = entry
    return aliases


def _aliases_in(item: Item) -> Iterable[tuple[str, tuple[Node, Callable[[int], str]]]]:
    for piece in item.pieces:
        for event in piece.shape.events:
            if isinstance(event, AliasEvent):
                text = _text_of(piece, event.base)
                yield text(event.alias.name), (event.alias.value, text)


def _text_of(piece: Piece, base: int) -> Callable[[int], str]:
    shape, holes = piece.shape, piece.holes()

    def text(ref: int) -> str:
        hole = shape.hole_of[base + ref]
        return holes[hole] if hole >= 0 else shape.tokens[base + ref].text

    return text
