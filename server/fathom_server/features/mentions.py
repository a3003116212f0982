"""Where the name at a place stands elsewhere in its document: values, blocks, symbols and aliases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fathom.elaborate.sites import Site
from fathom.elaborate.sites import definition as definition_of
from fathom.ir.operation import Span, Value
from fathom.records import record
from fathom.slices import paced
from fathom.syntax.carried import short
from fathom.syntax.events import AliasEvent
from fathom.syntax.lexer import Token
from fathom.syntax.sequence import Chunk
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.places import Spot, block_at, path_to, spot_at, symbol_at, value_at
from fathom_server.model.scoping import Scope, Symbol, is_outer, meant, scope_at, scopes_beside, symbols_of
from fathom_server.model.snapshot import Snapshot


@record
class Mention:
    """A place where a name stands, in offsets of the document."""

    start: int
    end: int
    is_definition: bool


def mentions(snapshot: Snapshot, offset: int) -> Iterator[Mention]:
    """All places of the name at an offset."""
    spot = spot_at(snapshot, offset)
    find = _BY_KIND.get(spot.token.kind) if spot is not None else None
    if spot is not None and find is not None:
        yield from find(snapshot, spot)


# ---- values


def _of_value(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    value = value_at(snapshot, spot)
    if value is None:
        return
    known = elaborated(snapshot, spot.item)
    if is_outer(spot.item, value, known):
        yield from of_outer_value(snapshot, spot)
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
    met = {id(used) for used in together}
    for site in known.obscure:
        for token, used in site.uses.items():
            if id(used) in met and (site.op is None or site.op not in used.uses):
                span = site.span(token)
                yield Mention(spot.item_start + span.start, spot.item_start + span.end, False)


def of_outer_value(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    """The definition of a value beside functions, and the uses of what has its name in the items around it."""
    name, scope = spot.token.text.partition("#")[0], scope_of_spot(snapshot, spot)
    for item, start in beside(snapshot, spot.item, scope):
        if not any(name in line for line in item.lines):
            continue
        known = elaborated(snapshot, item)
        for site in paced(known.sites.values()):
            for token in tokens_named(site, name) if site.mentions(name) else ():
                defined, used = site.definitions.get(token), site.uses.get(token)
                values = defined or ([used] if used is not None else [])
                span = site.span(token)
                if any(is_in_scope(snapshot, item, scope, value, span) for value in values):
                    yield Mention(start + span.start, start + span.end, defined is not None)


def is_in_scope(snapshot: Snapshot, item: Item, scope: Scope, value: Value, span: Span) -> bool:
    """Whether a value of an item that is named at a place is one that the items of a scope share."""
    return is_outer(item, value, elaborated(snapshot, item)) and scope_at(snapshot, item, span.start) == scope


def tokens_named(site: Site, name: str) -> Iterator[int]:
    """The tokens of a statement that name `%x`, or a result `%x#1`."""
    for index, token in enumerate(site.piece.tokens()):
        if token.kind == "VALUE" and token.text.partition("#")[0] == name:
            yield index


def scope_of_spot(snapshot: Snapshot, spot: Spot) -> Scope:
    """The scope in which a spot stands."""
    return scope_at(snapshot, spot.item, spot.start - spot.item_start)


def beside(snapshot: Snapshot, item: Item, scope: Scope) -> Iterator[tuple[Item, int]]:
    """The items of the split of one in which something stands in a scope, each with the offset at which it begins."""
    return ((near, start) for near, start in split_around(snapshot, item) if scope in scopes_beside(snapshot, near))


# ---- blocks


def _of_block(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    block = block_at(snapshot, spot)
    if block is None:
        return
    for span in elaborated(snapshot, spot.item).label_spans(block):
        yield Mention(spot.item_start + span.start, spot.item_start + span.end, span == block.label_span)


# ---- symbols


def _of_symbol(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    """The symbol that a name stands for where it stands, and the names elsewhere that stand for the same one."""
    wanted = symbol_at(snapshot, spot)
    path = path_to(spot.piece.tokens(), spot.index) if spot.token.kind == "SYMBOL" else ()
    if wanted is not None:
        yield from of_symbol(snapshot, wanted.item, wanted.name, wanted)
    elif path:
        yield from of_symbol(snapshot, spot.item, path[-1], None)


def of_symbol(snapshot: Snapshot, around: Item, name: str, wanted: Symbol | None) -> Iterator[Mention]:
    """The places of a symbol in the split around an item; of the names that stand for none, if there is no symbol."""
    for mention, _, _ in symbol_places(snapshot, around, name, lambda path: path == wanted):
        yield mention


def symbol_places(
    snapshot: Snapshot, around: Item, name: str, is_wanted: Callable[[Symbol | None], bool]
) -> Iterator[tuple[Mention, Item, tuple[str, ...]]]:
    """Where a name stands, in the split around an item, for a symbol that is wanted, or for none: each place with its
    item, and with the path of names that ends there; that is empty at a definition."""
    for item, start in split_around(snapshot, around, name):
        # In the generic form the name at the definition is a string.
        if not any(_may_name(line, name) for line in item.lines):
            continue
        at = definitions_in(item, name)
        for first, reference in at.items():
            if is_wanted(reference):
                yield Mention(start + first, start + reference.name_end, True), item, ()
        for tokens, index, first, last in _symbols_named(item, name):
            path = path_to(tokens, index)
            if first not in at and is_wanted(meant(snapshot, item, first, path)):
                yield Mention(start + first, start + last, False), item, path


def definitions_in(item: Item, name: str) -> Mapping[int, Symbol]:
    """The symbols of a name that an item defines, by where their names begin in it."""
    return {symbol.name_start: symbol for symbol in symbols_of(item) if symbol.name == name}


def _may_name(line: str, name: str) -> bool:
    """Whether a symbol of a name may stand in a line: in quotes it can be written in several ways."""
    return name in line or "\\" in line


def _symbols_named(item: Item, name: str) -> Iterator[tuple[list[Token], int, int, int]]:
    """The tokens of an item that name a symbol: those of its statement, its index among them, and its span."""
    for piece, start in item.pieces.with_offsets():
        if not any(_may_name(line, name) for line in piece.lines):
            continue
        tokens, spans = piece.tokens(), piece.token_spans()
        for index, token in enumerate(tokens):
            if token.kind == "SYMBOL" and path_to(tokens, index)[-1:] == (name,):
                yield tokens, index, start + spans[index][0], start + spans[index][1]


# ---- aliases


def _of_alias(snapshot: Snapshot, spot: Spot) -> Iterator[Mention]:
    name = spot.token.text
    if "." in name:
        return  # the name of what a dialect defines
    yield from of_alias(snapshot, spot.item, name)


def of_alias(snapshot: Snapshot, around: Item, name: str) -> Iterator[Mention]:
    """The places of an alias, by its name with `#` or `!`, in the split around an item."""
    for item, start in split_around(snapshot, around, name):
        if any(name in line for line in item.lines):
            at = set(_alias_definitions(item, name))
            yield from (Mention(start + first, start + last, first in at) for first, last in _named(item, name))


def _alias_definitions(item: Item, name: str) -> Iterator[int]:
    """Where an item defines an alias."""
    for piece, start in item.pieces.with_offsets() if not item.frame.depth else ():
        for token in piece.shape.known(_alias_tokens):
            if piece.tokens()[token].text == name:
                yield start + piece.token_spans()[token][0]


def _alias_tokens(shape: Shape) -> tuple[int, ...]:
    """The tokens at which statements of a shape define aliases."""
    return tuple(event.base + event.alias.name for event in shape.events if isinstance(event, AliasEvent))


# ---- texts


def split_around(snapshot: Snapshot, item: Item, name: str = "") -> Iterator[tuple[Item, int]]:
    """The items of the split of the document in which an item is, each with the offset at which it begins; those alone
    that may have a name in their text, if there is one."""
    tree = snapshot.tree
    around = tree.split_around(tree.index_of(item))
    items, start = tree.items[around.start : around.stop], tree.start(around.start)
    for chunk in paced(items.chunks):
        if not name or _may_name(chunk.known(_text_of), name):
            for element in paced(chunk.elements):
                yield element, start
                start += element.length
        else:
            start += chunk.length


def _text_of(chunk: Chunk[Item]) -> str:
    """The text of a chunk of items without its long literals: a name is found in it sooner than line by line."""
    return "".join(short(line) for item in chunk.elements for line in item.lines)


def _named(item: Item, name: str) -> Iterator[tuple[int, int]]:
    """The spans of the tokens of an item that are a name."""
    for piece, start in item.pieces.with_offsets():
        if not any(name in line for line in piece.lines):
            continue
        tokens, spans = piece.tokens(), piece.token_spans()
        for index, (token, (first, last)) in enumerate(zip(tokens, spans, strict=True)):
            # In `#test<…>` the name is that of a dialect.
            if token.text == name and not (
                index + 1 < len(tokens) and spans[index + 1][0] == last and tokens[index + 1].text == "<"
            ):
                yield start + first, start + last


_BY_KIND: Final[Mapping[str, Callable[[Snapshot, Spot], Iterator[Mention]]]] = {
    "VALUE": _of_value,
    "BLOCK": _of_block,
    "SYMBOL": _of_symbol,
    "STRING": _of_symbol,
    "ALIAS": _of_alias,
    "HASH": _of_alias,
    "EXCLAIM": _of_alias,
}
