"""The aliases of a document and its metadata: collected from its items, resolved where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fathom.diagnostics import PARSE, Diagnostic
from fathom.elaborate.file_metadata import read_metadata
from fathom.elaborate.meaning import Aliases
from fathom.ir.metadata import Metadata
from fathom.ir.operation import Span
from fathom.syntax.events import AliasEvent, MetadataEvent
from fathom.syntax.nodes import Node
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item, SyntaxTree


def aliases_of(items: Iterable[Item]) -> Aliases:
    """All aliases and metadata that the items define. Of two with one name the last counts."""
    aliases = Aliases()
    for item in items:
        if "aliases" not in item.cache:
            item.cache["aliases"] = list(_aliases_in(item))
        for name, entry in item.cache["aliases"]:
            target = aliases.types if name.startswith("!") else aliases.attributes
            target[name[1:]] = entry
        if "metadata" not in item.cache:
            item.cache["metadata"] = list(_metadata_in(item))
        for metadata in item.cache["metadata"]:
            aliases.metadata.update(metadata)
    return aliases


def alias_redefinitions(tree: SyntaxTree) -> Iterable[Diagnostic]:
    """An error for each alias whose name an earlier one has."""
    seen: set[str] = set()
    for item, start in tree.items.with_offsets():
        for piece, offset in item.pieces.with_offsets():
            for event in piece.shape.events:
                if not isinstance(event, AliasEvent):
                    continue
                name = _text_of(piece, event.base)(event.alias.name)
                if name in seen:
                    kind = "type" if name.startswith("!") else "attribute"
                    first, last = piece.token_spans()[event.base + event.alias.name]
                    span = Span(start + offset + first, start + offset + last)
                    yield Diagnostic(f"redefinition of {kind} alias id '{name[1:]}'", span, "error", PARSE)
                seen.add(name)


def defines_names(item: Item) -> bool:
    """Whether an item has aliases or metadata, on which the meaning of others depends."""
    return any(item.pieces.known(_has_names))


def _has_names(chunk: Chunk[Piece]) -> bool:
    events = (event for piece in chunk.elements for event in piece.shape.events)
    return any(isinstance(event, (AliasEvent, MetadataEvent)) for event in events)


def _metadata_in(item: Item) -> Iterable[Metadata]:
    for piece in item.pieces:
        for event in piece.shape.events:
            if isinstance(event, MetadataEvent):
                yield read_metadata(event.metadata, _text_of(piece, event.base))[0]


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
