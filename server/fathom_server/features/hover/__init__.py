"""Hover: what a name, a number, an operation, a type or an attribute is, and what it becomes in the LLVM dialect.

What is said of each kind has a module of its own. The first lines say what one wants to know; below a rule is the rest.
"""

from __future__ import annotations

from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.meaning import Meanings
from fathom.records import record
from fathom.syntax.nodes import Node
from fathom.text.beginnings import shortened
from fathom_server.features.hover.aliases import alias_text
from fathom_server.features.hover.attributes import attribute_text, case_text, name_text, number_text
from fathom_server.features.hover.blocks import block_text
from fathom_server.features.hover.operations import operation_text, renamed_text
from fathom_server.features.hover.symbols import symbol_text
from fathom_server.features.hover.trees import Way, operation_around, texts, way_to
from fathom_server.features.hover.types import type_text
from fathom_server.features.hover.values import values_text
from fathom_server.model.aliases import aliases_for
from fathom_server.model.places import Spot, block_at, operation_at, spot_at, values_at
from fathom_server.model.snapshot import Snapshot


@record
class Hover:
    """Markdown about the text between two offsets."""

    markdown: str
    start: int
    end: int


LONGEST_LINE: Final = 2000
MOST_LINES: Final = 400
"""Of each line so many characters are shown, and so many lines."""


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What to say about an offset; None where there is nothing to say."""
    spot = spot_at(snapshot, offset)
    if spot is None:
        return None
    text, start, end = _named(snapshot, spot), spot.start, spot.end
    if text is None:
        found = _written(snapshot, spot)
        if found is None:
            return None
        text, start, end = found
    return Hover(shortened(text, LONGEST_LINE, MOST_LINES), start, end)


def _named(snapshot: Snapshot, spot: Spot) -> str | None:
    """What is to be said of what has a name; None where a spot has no such name."""
    match spot.token.kind:
        case "VALUE":
            values = values_at(snapshot, spot)
            return values_text(values) if values else None
        case "SYMBOL":
            return symbol_text(snapshot, spot)
        case "BLOCK":
            block = block_at(snapshot, spot)
            return block_text(spot.item, block) if block is not None else None
        case "ALIAS" | "EXCLAIM" | "HASH":
            return alias_text(snapshot, spot)
        case "BARE" | "STRING":
            op = operation_at(snapshot, spot)
            return operation_text(snapshot, spot.item, op) if op is not None else renamed_text(spot)
        case _:
            return None


def _written(snapshot: Snapshot, spot: Spot) -> tuple[str, int, int] | None:
    """What is to be said of a part of a type or an attribute, or of a word of an operation, and where that stands."""
    way = way_to(spot)
    kind = spot.token.kind
    text: str | None = None
    if kind in ("INTEGER", "FLOAT", "HEX"):
        text = number_text(snapshot, spot, operation_around(snapshot, spot), way)
    elif kind in ("BARE", "STRING"):
        op = operation_around(snapshot, spot)
        text = name_text(spot, op, way)
        if text is None and way is None and op is not None:
            text = case_text(spot, op)
    if text is not None:
        return text, spot.start, spot.end
    return _of_tree(snapshot, spot, way) if way is not None else None


def _of_tree(snapshot: Snapshot, spot: Spot, way: Way) -> tuple[str, int, int] | None:
    """The smallest type or attribute around a spot."""
    type = way.innermost("type", "plain_type")
    found = attribute_text(snapshot, spot, way)
    if found is not None and (type is None or found[1].end - found[1].start < type.end - type.start):
        return found[0], *_place(spot, way, found[1])
    if type is None:
        return None
    try:
        meaning = Meanings(snapshot.context, aliases_for(snapshot, spot.item)).type(type, texts(spot, way.base))
    except ElaborationFailure:
        return None
    return type_text(meaning), *_place(spot, way, type)


def _place(spot: Spot, way: Way, node: Node) -> tuple[int, int]:
    """Where a tree stands in the document."""
    start = spot.item_start + spot.piece_start
    first, last = spot.piece.token_span(way.base + node.start), spot.piece.token_span(way.base + node.end - 1)
    return start + first[0], start + last[1]
