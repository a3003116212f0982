"""The aliases of a document and its metadata: collected from its items, resolved where they are used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fathom.diagnostics import ELABORATE, PARSE, Diagnostic, Note
from fathom.elaborate.file_metadata import read_metadata
from fathom.elaborate.meaning import Aliases
from fathom.ir.metadata import Metadata
from fathom.ir.operation import Span
from fathom.slices import checkpoint
from fathom.syntax.events import AliasEvent, ErrorEvent, MetadataEvent
from fathom.syntax.pieces import Piece, locations_only
from fathom.syntax.sequence import Chunk
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item, SyntaxTree

if TYPE_CHECKING:
    from fathom.syntax.lexer import Token


def aliases_of(items: Iterable[Item]) -> Aliases:
    """All aliases and metadata that the items define. Of two with one name the last counts."""
    aliases = Aliases()
    for item in filter(defines_names, items):
        for piece in item.pieces:
            for event in piece.shape.events:
                if isinstance(event, AliasEvent):
                    name = piece.texts(event.base)(event.alias.name)
                    target = aliases.types if name.startswith("!") else aliases.attributes
                    target[name[1:]] = piece, event
                elif isinstance(event, MetadataEvent):
                    aliases.metadata.update(_metadata_of(item, piece, event))
                elif isinstance(event, ErrorEvent) and _is_alias(piece.shape, event):
                    aliases.broken.add(piece.texts(event.start)(0))
    return aliases


def _is_alias(shape: Shape, event: ErrorEvent) -> bool:
    """Whether something that does not parse defines an alias."""
    tokens = shape.tokens[event.start : event.start + 2]
    return len(tokens) == 2 and tokens[0].kind in ("ALIAS", "HASH", "EXCLAIM") and tokens[1].text == "="


def _metadata_of(item: Item, piece: Piece, event: MetadataEvent) -> Metadata:
    key = "metadata", event.base
    if key not in item.cache:
        item.cache[key] = read_metadata(event.metadata, piece.texts(event.base))[0]
    return item.cache[key]


def is_sound(item: Item) -> bool:
    """Whether an item is nothing but aliases of which the shape tells that they have a meaning: those of locations, and
    of types that were read before."""
    first = item.first_statement
    if first < 0 or not isinstance(next(iter(item.pieces[first].shape.events), None), AliasEvent):
        return False
    return all(item.pieces.known(locations_only)) or all(map(_is_sound, item.pieces))


def _is_sound(piece: Piece) -> bool:
    shape = piece.shape
    if shape.is_trivia or piece.is_location:
        return True
    if len(shape.events) != 1 or shape.has_errors:
        return False
    (event,) = shape.events
    return isinstance(event, AliasEvent) and event.alias.value.constant and event.alias.value.cache is not None


def alias_redefinitions(tree: SyntaxTree) -> Iterable[Diagnostic]:
    """An error for each alias whose name an earlier one has."""
    seen: set[str] = set()
    for item, start in tree.items.with_offsets():
        if not defines_names(item):
            continue
        for piece, offset in item.pieces.with_offsets():
            for event in piece.shape.events:
                if not isinstance(event, AliasEvent):
                    continue
                name = piece.texts(event.base)(event.alias.name)
                if name in seen:
                    kind = "type" if name.startswith("!") else "attribute"
                    first, last = piece.token_spans()[event.base + event.alias.name]
                    span = Span(start + offset + first, start + offset + last)
                    yield Diagnostic(f"redefinition of {kind} alias id '{name[1:]}'", span, "error", PARSE)
                seen.add(name)


def early_uses(tree: SyntaxTree) -> Iterable[Diagnostic]:
    """An error for each alias that is used before it is defined, where that is done first. What `loc(…)` names may be
    defined at the end, as MLIR prints it; nothing is looked at where aliases stand above all else."""
    late = _late_aliases(tree)
    for item, start in tree.items.with_offsets() if late else ():
        for piece, offset in item.pieces.with_offsets():
            tokens = piece.shape.tokens
            for index, token in enumerate(tokens):
                if token.kind not in ("ALIAS", "HASH", "EXCLAIM") or _is_of_location(tokens, index):
                    continue
                name = piece.texts(index)(0)
                if name not in late or start + offset >= late[name].start:
                    continue
                first, last = piece.token_span(index)
                span = Span(start + offset + first, start + offset + last)
                note = Note(f"'{name}' is defined here, behind its first use", late.pop(name), hint=True)
                yield Diagnostic(f"undefined symbol alias id '{name[1:]}'", span, "error", ELABORATE, (note,))


def _is_of_location(tokens: Sequence[Token], index: int) -> bool:
    return index > 1 and tokens[index - 1].text == "(" and tokens[index - 2].text == "loc"


def _late_aliases(tree: SyntaxTree) -> dict[str, Span]:
    """The aliases, but those of locations, in front of which anything else stands, and where they are defined."""
    late: dict[str, Span] = {}
    is_late = False
    for item, start in tree.items.with_offsets():
        if not defines_names(item):
            is_late = is_late or item.first_statement >= 0
            continue
        for piece, offset in item.pieces.with_offsets():
            for event in piece.shape.events:
                if not isinstance(event, AliasEvent):
                    is_late = True
                elif is_late and not event.alias.is_location:
                    first, last = piece.token_span(event.base + event.alias.name)
                    span = Span(start + offset + first, start + offset + last)
                    late.setdefault(piece.texts(event.base)(event.alias.name), span)
                elif not event.alias.is_location and _names_others(piece, event):
                    # What stands behind may be what it is made of.
                    is_late = True
    return late


def _names_others(piece: Piece, event: AliasEvent) -> bool:
    """Whether an alias is made of others."""
    behind = piece.shape.tokens[event.base + event.alias.name + 1 :]
    return any(token.kind in ("ALIAS", "HASH", "EXCLAIM") for token in behind)


def defines_names(item: Item) -> bool:
    """Whether an item has aliases or metadata, on which the meaning of others depends."""
    return any(item.pieces.known(_has_names))


def _has_names(chunk: Chunk[Piece]) -> bool:
    checkpoint()
    shapes = {piece.shape for piece in chunk.elements}
    return any(
        isinstance(event, (AliasEvent, MetadataEvent)) or (isinstance(event, ErrorEvent) and _is_alias(shape, event))
        for shape in shapes
        for event in shape.events
    )
