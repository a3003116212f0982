"""The symbols that an item defines, read off its syntax: they are there while the rest of the item is broken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import symbol_name, unquote
from fathom.irdl.dialect import Definitions
from fathom.irdl.interfaces import FunctionLike, SymbolTable
from fathom.records import field, record
from fathom.slices import paced
from fathom.syntax.events import OpenEvent
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import SPACE, holes_of, split_line
from fathom.syntax.nodes import ParsedOp
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item
from fathom_server.model.outer_operations import Part, beside, parts


@record
class Symbol:
    """A symbol: its name without `@`, its operation's name, and where they stand in the item.

    `end` is where the operation's header ends, before its body; `full_end` where the operation ends. `has_body` tells a
    definition from a declaration. `depth` is the number of regions around it; of these, the last `inside` are tables
    that the item itself opens, for what follows it. One that `is_open` is such a table.

    `piece` is the statement in which the operation begins, `parsed` what it says of it, with tokens that count from
    `base`.
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
    inside: int
    is_open: bool
    piece: Piece = field(compare=False, repr=False)
    parsed: ParsedOp = field(compare=False, repr=False)
    base: int = field(compare=False, repr=False)


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
    are. Of an operation that begins or has its name elsewhere than in the first statement of its item, as one in the
    generic form that is named behind its body, there are all statements up to there; `inside` so many tables that these
    open."""

    name: str
    op_name: str
    has_body: bool
    inside: int
    statements: tuple[tuple[Frame, Shape, tuple[str, ...]], ...]


def header_of(symbol: Symbol) -> Header:
    """The header of a symbol."""
    item = symbol.item
    first = max(item.first_statement, 0)
    pieces = islice(item.pieces.from_index(first), item.piece_at(symbol.name_start) + 1 - first)
    statements = tuple((each.frame, each.shape, each.lines) for each in paced(pieces))
    return Header(symbol.name, symbol.op_name, symbol.has_body, symbol.inside, statements)


# ---- symbols


class Names(NamedTuple):
    """What an item defines by name where it stands: its symbols, in the order of its text, and the values beside
    functions, such as `%0`, each once. What stands in the body of an operation is not among them, unless the item ends
    in there, as the header of a module does."""

    symbols: tuple[Symbol, ...] = ()
    values: tuple[str, ...] = ()


_NO_NAMES: Final = Names()


def names_of(item: Item) -> Names:
    """The names that an item defines; kept with the item."""
    shape = _piece_of(item).shape
    if not shape.pushes and not shape.known(parts):
        return _NO_NAMES
    found = item.cache.get("names")
    if found is None:
        said = list(beside(item))
        found = item.cache["names"] = Names(tuple(_symbols(item, said)), tuple(dict.fromkeys(_values(item, said))))
    return found


def symbols_of(item: Item) -> tuple[Symbol, ...]:
    """The symbols that an item defines."""
    return names_of(item).symbols


def values_of(item: Item) -> tuple[str, ...]:
    """The names of the values that an item defines beside functions."""
    return names_of(item).values


class Begun:
    """An operation that may be a symbol, as far as it was met: `head` in the statement at `index`, the name in that at
    `named`, and the end in that at `ended`."""

    def __init__(self, inside: int, index: int, head: Part) -> None:
        self.inside = inside
        self.index = index
        self.head = head
        self.named: tuple[int, int] | None = (index, head.name) if head.name is not None else None
        self.ended: tuple[int, int] | None = (index, head.last - 1) if head.ends else None


def _symbols(item: Item, said: Iterable[tuple[int, int, Part]]) -> Iterator[Symbol]:
    begun: list[Begun] = []
    open: list[Begun] = []
    for index, inside, part in paced(said):
        if part.begins:
            begun.append(Begun(inside, index, part))
            if not part.ends:
                del open[inside:]
                open.append(begun[-1])
            continue
        if inside >= len(open):
            continue
        # What was begun in the region that ends here is not to be seen from outside.
        ending = open[inside]
        del open[inside:]
        del begun[begun.index(ending) + 1 :]
        ending.ended = (index, part.last - 1)
        if ending.named is None and part.name is not None:
            ending.named = (index, part.name)
    left = item.frame_out.containers - item.frame.containers
    for each in paced(begun):
        if each.named is not None and each.head.parsed is not None and each.inside <= max(left, 0):
            yield symbol_of(item, each, each.head.parsed, *each.named, left)


def symbol_of(item: Item, begun: Begun, parsed: ParsedOp, named: int, name: int, left: int) -> Symbol:
    """A symbol of an item that leaves so many tables open; its name is a token of the statement at `named`."""
    head, piece, start = begun.head, item.pieces[begun.index], item.start(begun.index)
    spans = piece.token_spans(max(name if named == begun.index else 0, head.start) + 1)
    first, last = spans[name] if named == begun.index else item.pieces[named].token_spans(name + 1)[-1]
    text, name_start = item.pieces[named].text[first:last], item.start(named) + first
    return Symbol(
        symbol_name(text) if text.startswith("@") else unquote(text),
        parsed.name,
        item,
        start + spans[head.start][0],
        name_start,
        name_start + last - first,
        _end_of_token(item, begun.index, head.header - 1),
        _end_of_token(item, *begun.ended) if begun.ended is not None else end_of(item),
        bool(parsed.regions) if head.ends else True,
        item.frame.containers + begun.inside,
        begun.inside,
        begun.ended is None and begun.inside < left,
        piece,
        parsed,
        head.base,
    )


def _end_of_token(item: Item, index: int, token: int) -> int:
    """Where a token of a statement ends."""
    piece = item.pieces[index]
    is_last = token + 1 >= len(piece.shape.tokens)
    return item.start(index) + (piece.end if is_last else piece.token_spans(token + 1)[-1][1])


def begins_items(item: Item) -> bool:
    """Whether what stands in the operation that an item begins are items of their own, all of it."""
    events = _piece_of(item).shape.events
    return item.frame_out.containers > item.frame.containers and isinstance(events[-1], OpenEvent)


def table_of(item: Item, inside: int) -> Symbol | None:
    """The table that an item opens for those that follow, in so many others that it opens; None if that has no name."""
    return next((each for each in symbols_of(item) if each.is_open and each.inside == inside), None)


# ---- values


def _values(item: Item, said: Iterable[tuple[int, int, Part]]) -> Iterator[str]:
    """The results of the operations that stand where the item does."""
    for index, inside, part in paced(said):
        if not inside and part.begins and part.parsed is not None and part.parsed.result_groups:
            texts = item.pieces[index].texts(part.base)
            yield from (texts(group.token) for group in part.parsed.result_groups)


# ---- texts


def mentions_in(item: Item) -> frozenset[str]:
    """The names of the symbols that the text of an item names, at their definition or at a use; kept with the item."""
    found = item.cache.get("mentions")
    if found is None:
        holes = (hole for line in item.lines if "@" in line for hole in holes_of(line))
        found = item.cache["mentions"] = _read(hole for hole in holes if hole.startswith("@"))
    return found


def mentions_of(symbol: Symbol) -> frozenset[str]:
    """The names that the text of a symbol names in the table around it, its own among them. What stands behind `::` is
    the name of something in another table."""
    item = symbol.item
    if len(symbols_of(item)) > 1:
        return _read(_roots_in(item.text_between(symbol.start, symbol.full_end).splitlines()))
    found = item.cache.get("roots")
    if found is None:
        found = item.cache["roots"] = _read(_roots_in(item.lines))
    return found


def _roots_in(lines: Iterable[str]) -> Iterator[str]:
    for split in (split_line(line) for line in lines if "@" in line):
        for before, hole in zip(split[::2], split[1::2], strict=False):
            if hole.startswith("@") and not before.rstrip(SPACE).endswith("::"):
                yield hole


def _read(written: Iterable[str]) -> frozenset[str]:
    return frozenset(name for text in set(written) if (name := _name_in(text)))


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
