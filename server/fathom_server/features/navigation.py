"""Where names are defined and used: values, blocks, symbols and aliases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fathom.elaborate.sites import definition as definition_of
from fathom.ir.operation import Span
from fathom.records import record
from fathom.syntax.lexer import Token
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lookup import meant, tables_around
from fathom_server.model.outer_values import is_outer
from fathom_server.model.places import Spot, block_at, operation_at, path_to, spot_at, symbol_at, value_at
from fathom_server.model.snapshot import Snapshot


@record
class Mention:
    """A place where a name stands, in offsets of the document."""

    start: int
    end: int
    is_definition: bool


@record
class DescribedName:
    """The name of something that a dialect describes: an operation, a type or an attribute, without the dialect's."""

    kind: Literal["op", "type", "attribute"]
    dialect: str
    name: str


def described_name(snapshot: Snapshot, offset: int) -> DescribedName | None:
    """The name at an offset, if it is one that a description of a dialect may have."""
    spot = spot_at(snapshot, offset)
    if spot is None:
        return None
    match spot.token.kind:
        case "BARE" | "STRING":
            op = operation_at(snapshot, spot)
            dialect, _, name = op.name.partition(".") if op is not None else ("", "", "")
            return DescribedName("op", dialect, name) if name else None
        case "EXCLAIM" | "HASH" as sign:
            dialect, _, name = spot.token.text[1:].partition(".")
            return DescribedName("type" if sign == "EXCLAIM" else "attribute", dialect, name) if name else None
        case _:
            return None


def definition(snapshot: Snapshot, offset: int) -> list[Span]:
    """Where the name at an offset is defined."""
    return [Span(mention.start, mention.end) for mention in mentions(snapshot, offset) if mention.is_definition]


def references(snapshot: Snapshot, offset: int, include_declaration: bool) -> list[Span]:
    """Where the name at an offset is used, in the order of the text."""
    found = [m for m in mentions(snapshot, offset) if include_declaration or not m.is_definition]
    return [Span(mention.start, mention.end) for mention in sorted(found, key=lambda m: m.start)]


def mentions(snapshot: Snapshot, offset: int) -> Iterator[Mention]:
    """All places of the name at an offset."""
    spot = spot_at(snapshot, offset)
    if spot is None:
        return
    match spot.token.kind:
        case "VALUE":
            yield from _of_value(snapshot, spot)
        case "BLOCK":
            yield from _of_block(snapshot, spot)
        case "SYMBOL":
            yield from _of_symbol(snapshot, spot)
        case "ALIAS" | "HASH" | "EXCLAIM":
            yield from _of_alias(snapshot, spot)
        case _:
            pass


def _of_value(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    value = value_at(snapshot, spot)
    if value is None:
        return
    known = elaborated(snapshot, spot.item)
    if is_outer(value, known):
        yield from _of_outer_value(snapshot, spot)
        return
    place = definition_of(value)
    together = [value]
    if place is not None:
        span = place.span
        yield Mention(spot.item_start + span.start, spot.item_start + span.end, True)
        # The results of `%x:2` share one name, and so one definition; at the definition all of them are meant.
        if place.site.piece is spot.piece and place.token == spot.index:
            together = place.site.definitions[place.token]
    for used in together:
        for span in known.use_spans(used):
            yield Mention(spot.item_start + span.start, spot.item_start + span.end, False)


def _of_outer_value(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    """The definition of a value beside functions, and the uses of what has its name in the items around it."""
    name = spot.token.text.partition("#")[0]
    scope = tables_around(snapshot, spot.item)
    for item, start in snapshot.tree.items.with_offsets():
        if not any(name in line for line in item.lines) or tables_around(snapshot, item) != scope:
            continue
        known = elaborated(snapshot, item)
        for site in known.sites.values():
            for token, values in site.definitions.items():
                if site.text(token) == name and any(is_outer(value, known) for value in values):
                    span = site.span(token)
                    yield Mention(start + span.start, start + span.end, True)
            for token, value in site.uses.items():
                if site.text(token).partition("#")[0] == name and is_outer(value, known):
                    span = site.span(token)
                    yield Mention(start + span.start, start + span.end, False)


def _of_block(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    block = block_at(snapshot, spot)
    if block is None:
        return
    for span in elaborated(snapshot, spot.item).label_spans(block):
        yield Mention(spot.item_start + span.start, spot.item_start + span.end, span == block.label_span)


def _of_symbol(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    """The symbol that a name stands for where it stands, and the names elsewhere that stand for the same one."""
    wanted = symbol_at(snapshot, spot)
    path = path_to(spot.piece.tokens(), spot.index)
    if not path:
        return
    name = path[-1]
    names = {f"@{name}", f'@"{name}"'}
    defined = snapshot.symbols.get(name, ())
    for item, start in _split_around(snapshot, spot):
        # In the generic form the name at the definition is a string.
        at = {each.name_start: each for each in defined if each.item is item}
        for first, each in at.items():
            if each == wanted:
                yield Mention(start + first, start + each.name_end, True)
        for tokens, index, first, last in _tokens_named(item, names):
            if first not in at and meant(snapshot, item, path_to(tokens, index)) == wanted:
                yield Mention(start + first, start + last, False)


def _of_alias(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    name = spot.token.text
    for item, start in _split_around(snapshot, spot):
        for index, (_, _, first, last) in enumerate(_tokens_named(item, {name})):
            is_definition = index == 0 and item.frame.depth == 0 and _defines(item, name)
            yield Mention(start + first, start + last, is_definition)


def _split_around(snapshot: Snapshot, spot: Spot) -> Iterator[tuple[Item, int]]:
    """The items of the split of the document in which a spot is, each with the offset at which it begins."""
    tree = snapshot.tree
    around = tree.split_around(tree.index_of(spot.item))
    start = tree.start(around.start)
    for item in tree.items[around.start : around.stop]:
        yield item, start
        start += item.length


def _defines(item: Item, name: str) -> bool:
    return any(line.lstrip().startswith(name) and "=" in line for line in item.lines)


def _tokens_named(item: Item, names: set[str]) -> Iterator[tuple[list[Token], int, int, int]]:
    """The tokens of an item with one of these texts: those of its statement, its index among them, and its span."""
    for piece, start in item.pieces.with_offsets():
        if not any(name in line for line in piece.lines for name in names):
            continue
        tokens = piece.tokens()
        for index, (first, last) in enumerate(piece.token_spans()):
            if tokens[index].text in names:
                yield tokens, index, start + first, start + last
