"""The symbols that an item defines, read off its syntax: they are there while the rest of the item is broken."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import symbol_name, unquote
from fathom.irdl.dialect import Definitions
from fathom.irdl.interfaces import FunctionLike, SymbolTable
from fathom.records import record
from fathom.slices import paced
from fathom.syntax.events import ErrorEvent, OpenEvent, OpEvent
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import holes_of
from fathom.syntax.nodes import ParsedOp, SymbolToken
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item


@record
class Symbol:
    """A symbol: its name without `@`, its operation's name, and where they stand in the item.

    `end` is where the operation's header ends, before its body; `full_end` where the operation ends. `has_body` tells a
    definition from a declaration. `depth` is the number of containers around it.
    """

    name: str
    op_name: str
    item: Item
    start: int
    name_start: int
    name_end: int
    end: int
    full_end: int
    has_body: bool
    depth: int


class Role(Enum):
    """What the operation of a symbol is to others."""

    FUNCTION = "has a signature and is called"
    TABLE = "holds symbols of its own"
    DATA = "is neither, such as a global"
    UNKNOWN = "nothing defines the operation"


def role_of(symbol: Symbol | Header, context: Definitions) -> Role:
    """The role of a symbol, by the interfaces of its operation."""
    definition = context.lookup(symbol.op_name)
    if definition is None:
        return Role.UNKNOWN
    if definition.interface(SymbolTable) is not None:
        return Role.TABLE
    return Role.FUNCTION if definition.interface(FunctionLike) is not None else Role.DATA


class Header(NamedTuple):
    """All that others can know of a symbol: the statement that begins it, as the parser read it, and whether a body
    follows. Two headers of the same text at the same depth are equal, wherever they stand and whatever their bodies
    are."""

    name: str
    op_name: str
    has_body: bool
    frame: Frame
    shape: Shape
    lines: tuple[str, ...]


def header_of(symbol: Symbol) -> Header:
    """The header of a symbol."""
    piece = _piece_of(symbol.item)
    return Header(symbol.name, symbol.op_name, symbol.has_body, piece.frame, piece.shape, piece.lines)


def symbols_of(item: Item) -> list[Symbol]:
    """The symbols of an item; kept with the item."""
    found = item.cache.get("symbols")
    if found is None:
        found = item.cache["symbols"] = list(_symbols(item))
    return found


def _symbols(item: Item) -> Iterator[Symbol]:
    """The symbol that the item's first statement defines; what comes after it is inside."""
    index = max(item.first_statement, 0)
    piece = item.pieces[index]
    for event in paced(piece.shape.events):
        match event:
            case OpEvent(parsed, base, _, False):
                has_body = bool(parsed.regions)
            case OpenEvent(open, base, _, _, False) if open.parsed is not None:
                parsed, has_body = open.parsed, True
            case ErrorEvent(_, _, _, _, parsed, base, False) if parsed is not None:
                has_body = bool(piece.shape.pushes)
            case _:
                continue
        token = _symbol_token(parsed)
        if token is None or base + token >= len(piece.shape.tokens):
            continue
        spans = piece.token_spans(base + token + 1)
        at = item.start(index)
        name_start, name_end = spans[base + token]
        text = piece.text[name_start:name_end]
        yield Symbol(
            symbol_name(text) if text.startswith("@") else unquote(text),
            parsed.name,
            item,
            at + spans[base + parsed.start][0],
            at + name_start,
            at + name_end,
            at + piece.end,
            end_of(item),
            has_body,
            piece.frame.depth,
        )
        return


def begins_items(item: Item) -> bool:
    """Whether what stands in the operation that an item begins are items of their own, all of it."""
    events = _piece_of(item).shape.events
    return item.frame_out.depth > item.frame.depth and isinstance(events[-1], OpenEvent)


def values_of(item: Item) -> tuple[str, ...]:
    """The names of the values that an item defines beside functions, such as `%0`, each once; kept with the item."""
    found = item.cache.get("values")
    if found is None:
        found = item.cache["values"] = tuple(dict.fromkeys(_values(item)))
    return found


def _values(item: Item) -> Iterator[str]:
    """The results of the operations in the item's first statement that stand in no region of it."""
    piece = _piece_of(item)
    depth = 0
    for event in paced(piece.shape.events):
        match event:
            case OpEvent(parsed, base, _, ends_region):
                depth -= ends_region
                begun = None if ends_region else parsed
            case OpenEvent(open, base, _, _, reopens):
                begun = None if reopens else open.parsed
            case ErrorEvent(_, _, _, _, parsed, base, closes):
                begun = None if closes else parsed
            case _:
                continue
        if depth == 0 and begun is not None and begun.result_groups:
            texts = piece.texts(base)
            yield from (texts(group.token) for group in begun.result_groups)
        depth += isinstance(event, OpenEvent) and not event.reopens


def mentions_in(item: Item) -> frozenset[str]:
    """The names of the symbols that the text of an item names, at their definition or at a use; kept with the item."""
    found = item.cache.get("mentions")
    if found is None:
        lines = (line for line in item.lines if "@" in line)
        written = {hole for line in lines for hole in holes_of(line) if hole.startswith("@")}
        found = item.cache["mentions"] = frozenset(name for text in written if (name := _name_in(text)))
    return found


def _name_in(text: str) -> str:
    """The name of a symbol as it is written; empty where a string cannot be read."""
    try:
        return symbol_name(text)
    except ElaborationFailure:
        return ""


def _piece_of(item: Item) -> Piece:
    """The first statement that is not a comment, if there is one."""
    return item.pieces[max(item.first_statement, 0)]


def end_of(item: Item) -> int:
    """Where the item's own text ends: with its last token, before comments and blank lines."""
    last = item.last_statement(len(item.pieces))
    return item.start(last) + item.pieces[last].end if last >= 0 else item.length


def _symbol_token(parsed: ParsedOp) -> int | None:
    """The token that names the symbol: `@f`, or in the generic form the string after `sym_name =`."""
    source = parsed.attributes.get("sym_name")
    if isinstance(source, SymbolToken):
        return source.token
    for node in (parsed.properties, parsed.attr_dict):
        for entry in node.walk() if node is not None else ():
            if entry.kind == "entry" and entry.leaves[0] in ("sym_name", '"sym_name"'):
                return next((leaf.ref for leaf in entry.nodes[0].all_leaves() if leaf.type == "STRING"), None)
    return None
