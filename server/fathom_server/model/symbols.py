"""The symbols that an item defines, read off its syntax: they are there while the rest of the item is broken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from typing import Final, TypeAlias

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import symbol_name, unquote
from fathom.irdl.dialect import Definitions
from fathom.irdl.interfaces import FunctionLike, SymbolTable
from fathom.records import NamedTuple, field, record
from fathom.slices import paced
from fathom.syntax.frames import Frame
from fathom.syntax.lexer import SPACE, holes_of, split_line
from fathom.syntax.nodes import ParsedOp
from fathom.syntax.pieces import Piece
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item
from fathom_server.model.outer_operations import Part, parts, said


@record
class Symbol:
    """A symbol: its name without `@`, its operation's name, and where they stand in the item.

    `end` is where the operation's header ends, before its body; `full_end` where the operation ends. `has_body` tells a
    definition from a declaration. `depth` is the number of regions around it. `tables` are the tables of the item
    around it, the outermost first, each by where its operation begins; it `is_enclosed` if the innermost ends in the
    item. One that `is_open` is itself a table of what follows the item. It stands behind the end of as many tables
    around the item as were `left`.

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
    tables: tuple[int, ...]
    is_enclosed: bool
    is_open: bool
    left: int
    piece: Piece = field(compare=False, repr=False)
    parsed: ParsedOp = field(compare=False, repr=False)
    base: int = field(compare=False, repr=False)


@record
class Table:
    """A symbol table that an item begins: where its operation does and what that is called, the characters of the item
    that are in it, and the `tables` of the item around it, the outermost first. What follows the item is in one that
    `is_open` too. It stands behind the end of as many tables around the item as were `left`."""

    start: int
    op_name: str
    first: int
    last: int
    tables: tuple[int, ...]
    is_open: bool
    left: int

    @property
    def within(self) -> tuple[int, ...]:
        """The tables of the item around what stands in it."""
        return (*self.tables, self.start)


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
    are. Of an operation that is named elsewhere than in the statement in which it begins, as one in the generic form
    that is named behind its body, or begins in one that ends others, there are all statements up to there: it begins
    with the `token` of the statement `number`, from 0."""

    name: str
    op_name: str
    has_body: bool
    number: int
    token: int
    statements: tuple[tuple[Frame, Shape, tuple[str, ...]], ...]


def header_of(symbol: Symbol) -> Header:
    """The header of a symbol."""
    item = symbol.item
    begins = item.piece_at(symbol.start)
    # What ends others means something behind these alone.
    first = begins if not symbol.piece.shape.pops else max(item.first_statement, 0)
    pieces = islice(item.pieces.from_index(first), item.piece_at(symbol.name_start) + 1 - first)
    statements = tuple((piece.frame, piece.shape, piece.lines) for piece in paced(pieces))
    token = symbol.base + symbol.parsed.name_token
    return Header(symbol.name, symbol.op_name, symbol.has_body, begins - first, token, statements)


# ---- symbols


class OuterValue(NamedTuple):
    """A value beside functions, such as `%0`, which others in the same place can use: in the last of the `tables` that
    the item opens, behind the end of as many around the item as were `left`."""

    name: str
    tables: tuple[int, ...]
    left: int


class Names(NamedTuple):
    """What an item defines by name, in the order of its text: the symbols where it stands and in tables, the tables
    themselves, and the values beside functions, each once; what else stands in a body is not among them. With where it
    `ends` tables that are around it, the innermost first."""

    symbols: tuple[Symbol, ...] = ()
    tables: tuple[Table, ...] = ()
    values: tuple[OuterValue, ...] = ()
    ends: tuple[int, ...] = ()


_NO_NAMES: Final = Names()


def names_of(item: Item) -> Names:
    """The names that an item defines; kept with the item."""
    known = item.cached("names")
    if isinstance(known, Names):
        return known
    shape = _piece_of(item).shape
    if not shape.pushes and not shape.known(parts):
        return _NO_NAMES
    names = item.cache["names"] = _names(item, list(said(item)))
    return names


def symbols_of(item: Item) -> tuple[Symbol, ...]:
    """The symbols that an item defines."""
    return names_of(item).symbols


def tables_of(item: Item) -> tuple[Table, ...]:
    """The symbol tables that an item begins, those outside before those in them."""
    return names_of(item).tables


def values_of(item: Item) -> tuple[OuterValue, ...]:
    """The values that an item defines beside functions."""
    return names_of(item).values


class _Begun:
    """An operation that may be a symbol, as far as it was met: `head` in the statement at `index`, with so many regions
    and these `tables` of the item around it, behind the end of so many around the item as were `left`; the name in the
    statement at `named`, and the end in that at `ended`."""

    def __init__(
        self, index: int, depth: int, head: Part, tables: tuple[_Begun, ...], left: int, *, has_name: bool
    ) -> None:
        self.index = index
        self.depth = depth
        self.head = head
        self.tables = tables
        self.left = left
        self.has_name = has_name
        """Whether its name is one in the innermost of the tables, or where the item stands."""
        self.named: tuple[int, int] | None = (index, head.name) if head.name is not None else None
        self.ended: tuple[int, int] | None = (index, head.last - 1) if head.ends else None

    @property
    def within(self) -> tuple[_Begun, ...]:
        """The tables of the item around what stands in it."""
        return (*self.tables, self) if self.head.is_table else self.tables

    def start(self, item: Item) -> int:
        """Where it begins in its item."""
        return item.start(self.index) + item.pieces[self.index].token_spans(self.head.start + 1)[-1][0]


def _names(item: Item, said: Sequence[tuple[int, int, Part]]) -> Names:
    begun: list[_Begun] = []
    results: list[_Begun] = []
    ends: list[int] = []
    open: dict[int, _Begun] = {}
    """Those whose end was not met, by the number of regions around them."""
    for index, depth, part in paced(said):
        for outer_depth in [at_depth for at_depth in open if at_depth >= depth + (not part.begins)] if open else ():
            del open[outer_depth]
        if part.begins:
            has_name, tables, left = depth == -len(ends), (), len(ends)
            if not has_name:
                around = open.get(depth - 1)
                has_name = around is not None and around.head.is_table
                nearest = next((open[outer] for outer in range(depth - 1, -left - 1, -1) if outer in open), None)
                tables = nearest.within if nearest is not None else ()
            new = _Begun(index, depth, part, tables, left, has_name=has_name)
            if has_name or part.is_table:
                begun.append(new)
            if has_name and part.parsed is not None and part.parsed.result_groups:
                results.append(new)
            if not part.ends:
                open[depth] = new
        elif (ending := open.pop(depth, None)) is None:
            if depth < -len(ends):
                ends.append(_end_of_token(item, index, part.last - 1))
        else:
            ending.ended = (index, part.last - 1)
            if ending.named is None and part.name is not None:
                ending.named = (index, part.name)
    made: dict[_Begun, Table] = {}
    for one in begun:
        if one.head.is_table:
            made[one] = _table(item, one, tuple([made[around].start for around in one.tables]))
    symbols = [_symbol(item, one, made) for one in paced(begun) if one.has_name]
    values = dict.fromkeys(_values(item, results, made))
    return Names(
        tuple([symbol for symbol in symbols if symbol is not None]), tuple(made.values()), tuple(values), tuple(ends)
    )


def _is_open(item: Item, begun: _Begun) -> bool:
    """Whether what follows an item stands in a table that it begins."""
    return (
        begun.head.is_table and begun.ended is None and begun.depth < item.frame_out.containers - item.frame.containers
    )


def _table(item: Item, begun: _Begun, tables: tuple[int, ...]) -> Table:
    head, is_open = begun.head, _is_open(item, begun)
    name = head.parsed.name if head.parsed is not None else ""
    end = _end_of_token(item, *begun.ended) if begun.ended is not None else end_of(item)
    first = _end_of_token(item, begun.index, head.header - 1)
    return Table(begun.start(item), name, first, item.length + 1 if is_open else end, tables, is_open, begun.left)


def _symbol(item: Item, begun: _Begun, made: Mapping[_Begun, Table]) -> Symbol | None:
    """The symbol that an operation is; None if it has no name."""
    head, parsed = begun.head, begun.head.parsed
    if begun.named is None or parsed is None:
        return None
    named, name = begun.named
    piece, start = item.pieces[begun.index], item.start(begun.index)
    spans = piece.token_spans(max(name if named == begun.index else 0, head.start) + 1)
    first, last = spans[name] if named == begun.index else item.pieces[named].token_spans(name + 1)[-1]
    text, name_start = item.pieces[named].text[first:last], item.start(named) + first
    tables = tuple([made[table].start for table in begun.tables])
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
        item.frame.containers + begun.depth,
        tables,
        bool(tables) and not made[begun.tables[-1]].is_open,
        _is_open(item, begun),
        begun.left,
        piece,
        parsed,
        head.base,
    )


def _end_of_token(item: Item, index: int, token: int) -> int:
    """Where a token of a statement ends."""
    piece = item.pieces[index]
    is_last = token + 1 >= len(piece.shape.tokens)
    return item.start(index) + (piece.end if is_last else piece.token_spans(token + 1)[-1][1])


def open_tables(item: Item) -> tuple[int, ...]:
    """The tables that an item opens for what follows it, the outermost first."""
    return tuple(table.start for table in tables_of(item) if table.is_open)


def ends_in(item: Item) -> tuple[int, ...]:
    """Where an item ends tables that are around it, the innermost first."""
    return names_of(item).ends


def table_at(item: Item, offset: int) -> Table | None:
    """The innermost table that an item begins in which one of its offsets lies."""
    return next((table for table in reversed(tables_of(item)) if table.first <= offset < table.last), None)


def table_of(item: Item, start: int) -> Symbol | None:
    """The symbol that the table is which begins at an offset of an item; None if that has no name."""
    return next((symbol for symbol in symbols_of(item) if symbol.start == start), None)


def holds_symbols(symbol: Symbol) -> bool:
    """Whether a symbol is a table, of which it is known what it holds."""
    return any(table.start == symbol.start for table in tables_of(symbol.item))


# ---- what is lowered by itself


Unit: TypeAlias = "Item | Symbol"
"""What is lowered by itself: an item, or of several symbols that one has, or of those in its tables, a single one."""


def unit_of(symbol: Symbol) -> Unit:
    """The unit that a symbol is, or is in."""
    return symbol if symbol.tables or symbol.left or len(symbols_of(symbol.item)) > 1 else symbol.item


def item_of(unit: Unit) -> Item:
    """The item that a unit is, or is in."""
    return unit.item if isinstance(unit, Symbol) else unit


# ---- values


def _values(item: Item, begun: Iterable[_Begun], made: Mapping[_Begun, Table]) -> Iterator[OuterValue]:
    """The results of the operations that stand where the item does, or in tables that it opens."""
    for one in paced(begun):
        tables = [made[around] for around in one.tables]
        if one.head.parsed is not None and all(table.is_open for table in tables[-1:]):
            texts, starts = item.pieces[one.index].texts(one.head.base), tuple([table.start for table in tables])
            for group in one.head.parsed.result_groups:
                yield OuterValue(texts(group.token), starts, one.left)


# ---- texts


def mentions_in(item: Item) -> frozenset[str]:
    """The names of the symbols that the text of an item names, at their definition or at a use; kept with the item."""
    mentions = item.cache.get("mentions")
    if mentions is None:
        mentions = item.cache["mentions"] = names_in(item.lines)
    return mentions


def names_in(lines: Iterable[str]) -> frozenset[str]:
    """The names of the symbols that some lines name."""
    holes = (hole for line in lines if "@" in line for hole in holes_of(line))
    return _read(hole for hole in holes if hole.startswith("@"))


def mentions_of(symbol: Symbol) -> frozenset[str]:
    """The names that the text of a symbol names in the table around it, its own among them. What stands behind `::` is
    the name of something in another table."""
    item = symbol.item
    if len(symbols_of(item)) > 1:
        return _read(_roots_in(item.text_between(symbol.start, symbol.full_end).splitlines()))
    mentions = item.cache.get("roots")
    if mentions is None:
        mentions = item.cache["roots"] = _read(_roots_in(item.lines))
    return mentions


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
