"""Symbols in tables whose text lies inside one item: a module on one line, an `irdl.dialect`, a table in a function.
What stands in other tables are items of their own, which `model/symbols.py` and `model/lookup.py` know.

They are read off the syntax, so that they are there while the rest of the item is broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.irdl.dialect import Definitions
from fathom.irdl.interfaces import SymbolTable
from fathom.records import field, record
from fathom.slices import checkpoint, paced
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item
from fathom_server.model.outer_operations import Part, parts
from fathom_server.model.symbols import Begun, Symbol, end_of, symbol_of


@record(eq=False, frozen=False)
class Table:
    """A symbol table inside an item: the characters of the item that are in it, the table around it there, and what is
    in it by name. `owner` is the symbol that the table itself is, if it has a name."""

    start: int
    end: int
    around: Table | None
    owner: Symbol | None = None
    symbols: dict[str, Symbol] = field(default_factory=dict[str, Symbol])


_NONE: Final[tuple[Table, ...]] = ()


def tables_in(item: Item, context: Definitions) -> tuple[Table, ...]:
    """The symbol tables that begin and end in an item, those outside before those in them; kept with the item."""
    found = item.cache.get("tables")
    if found is None:
        names = {name for opened in item.pieces.known(_opened) for name in opened}
        has_any = any(_is_table(name, context) for name in names)
        found = item.cache["tables"] = tuple(_tables(item, context)) if has_any else _NONE
    return found


def _opened(chunk: Chunk[Piece]) -> frozenset[str]:
    """The names of the operations with regions that the statements of a chunk begin."""
    checkpoint()
    shapes = {piece.shape for piece in chunk.elements}
    return frozenset(name for shape in shapes for name in shape.known(_opened_by))


def _opened_by(shape: Shape) -> frozenset[str]:
    said = shape.known(parts)
    return frozenset(part.parsed.name for part in said if part.begins and not part.ends and part.parsed is not None)


def _is_table(name: str, context: Definitions) -> bool:
    definition = context.lookup(name)
    return definition is not None and definition.interface(SymbolTable) is not None


def _tables(item: Item, context: Definitions) -> list[Table]:
    """The tables of an item, in the order in which they begin."""
    begun: list[tuple[Begun, Begun | None]] = []
    """Each operation with the table in which it stands, which is none if that is not inside the item."""
    open: dict[int, Begun] = {}
    for index, depth, part in paced(_said(item)):
        if part.begins:
            around = next((open[each] for each in range(depth - 1, -1, -1) if _holds(open.get(each), context)), None)
            begun.append((Begun(depth, index, part), around))
        for each in [each for each in open if each > depth or (each == depth and part.begins)]:
            del open[each]
        if part.begins and not part.ends:
            open[depth] = begun[-1][0]
        elif not part.begins and (ending := open.pop(depth, None)) is not None:
            ending.ended = (index, part.last - 1)
            if ending.named is None and part.name is not None:
                ending.named = (index, part.name)
    return list(_filled(item, begun, context))


def _said(item: Item) -> Iterator[tuple[int, int, Part]]:
    """What the statements of an item say of operations: each with the index of the statement and the number of regions
    around it in the item."""
    own = item.frame.depth
    for index, piece in enumerate(item.pieces):
        for part in piece.shape.known(parts):
            if (depth := piece.frame.depth + part.depth - own) >= 0:
                yield index, depth, part


def _holds(begun: Begun | None, context: Definitions) -> bool:
    return begun is not None and begun.head.parsed is not None and _is_table(begun.head.parsed.name, context)


def _filled(item: Item, begun: list[tuple[Begun, Begun | None]], context: Definitions) -> Iterator[Table]:
    """The tables among operations that begin and end in an item, with their symbols."""
    made: dict[Begun, Table] = {}
    for each, around in begun:
        outer = made.get(around) if around is not None else None
        named = None
        if each.named is not None and each.head.parsed is not None:
            named = symbol_of(item, each, each.head.parsed, *each.named, 0)
            if outer is not None:
                outer.symbols.setdefault(named.name, named)
        if each.ended is not None and not each.head.ends and _holds(each, context):
            table = made[each] = Table(*_extent(item, each), outer, named)
            yield table


def _extent(item: Item, begun: Begun) -> tuple[int, int]:
    """Where the regions of an operation of an item begin and end."""
    piece, ended = item.pieces[begun.index], begun.ended
    first = item.start(begun.index) + piece.token_spans(begun.head.header)[-1][1]
    if ended is None:
        return first, end_of(item)
    index, token = ended
    spans = item.pieces[index].token_spans()
    return first, item.start(index) + spans[min(token, len(spans) - 1)][1]


# ---- looking up


def table_at(item: Item, offset: int, context: Definitions) -> Table | None:
    """The innermost table inside an item in which an offset lies, in characters from the item's beginning."""
    inside = [each for each in tables_in(item, context) if each.start <= offset < each.end]
    return inside[-1] if inside else None


def table_of_symbol(symbol: Symbol, context: Definitions) -> Table | None:
    """The table that a symbol is, if what it holds lies inside its item."""
    found = tables_in(symbol.item, context)
    return next((each for each in found if each.owner is not None and each.owner == symbol), None)


def find(table: Table, path: Sequence[str], context: Definitions) -> Symbol | None:
    """The symbol to which a path of names leads from a table."""
    found: Symbol | None = None
    at: Table | None = table
    for name in path:
        found = at.symbols.get(name) if at is not None else None
        if found is None:
            return None
        at = table_of_symbol(found, context)
    return found
