"""The operations that stand where an item does, and those in symbol tables inside it, read off its syntax: they are
there while the rest of it is broken.

Most often that is one, of which the first statement says how it begins and the last how it ends. But a line may have
several, one may begin behind the brace of another, and a whole module may stand in an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.records import NamedTuple
from fathom.slices import checkpoint, paced
from fathom.syntax.events import BrokenEndEvent, ErrorEvent, OpenEvent, OpEvent, UnclosedEvent
from fathom.syntax.nodes import ParsedOp, Ref, SymbolToken
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item

DEEPEST: Final = 100
"""What stands in more regions than this is a mistake, of which no names are known."""


class Part(NamedTuple):
    """What a statement says of an operation: with `begins` how it begins, with `ends` how it ends, or all of it.

    `depth` is how much deeper than before the statement the operation stands. `name` is the token of its name, if that
    is the name of a symbol and stands here; `header` and `last` those behind its header and behind all of it. One that
    `is_table` begins a symbol table.
    """

    depth: int
    begins: bool
    ends: bool
    is_table: bool
    parsed: ParsedOp | None
    base: int
    start: int
    name: int | None
    header: int
    last: int


def parts(shape: Shape) -> tuple[Part, ...]:
    """What the statements of a shape say of operations that may be symbols or define values, in their order."""
    return tuple(_parts_in(shape))


def _parts_in(shape: Shape) -> Iterator[Part]:
    depth = 0
    for event in paced(shape.events):
        match event:
            case UnclosedEvent(_, count):
                depth -= count
            case OpEvent(parsed, base, first, ends_region):
                last = base + parsed.end - first
                depth -= ends_region
                name = _name_token(parsed, base - first, first, last)
                if ends_region or name is not None or parsed.result_groups:
                    yield Part(depth, not ends_region, True, False, parsed, base, base + parsed.start, name, last, last)
            case OpenEvent(open, base, brace, first, reopens):
                parsed = open.parsed
                if parsed is not None and not reopens:
                    name = _name_token(parsed, base - first, first, brace)
                    start, end = base + parsed.start, brace + 1
                    yield Part(depth, True, False, open.is_table, parsed, base, start, name, end, end)
                depth += not reopens
            case ErrorEvent(_, start, _, end, parsed, base, closes):
                depth -= closes
                is_table = any(push.broken and push.is_table for push in shape.pushes[-1:])
                if closes or parsed is not None or is_table:
                    first = start if parsed is None else base + parsed.start
                    name = _name_token(parsed, base, start - base, len(shape.tokens)) if parsed is not None else None
                    yield Part(depth, not closes, not shape.pushes, is_table, parsed, base, first, name, end, end)
            case BrokenEndEvent(at):
                depth -= 1
                yield Part(depth, False, True, False, None, 0, at, None, at + 1, at + 1)
            case _:
                pass


def _name_token(parsed: ParsedOp, base: int, first: Ref, end: int) -> int | None:
    """The token of a statement that names a symbol, if it stands before another one. The operation's tokens count from
    `base`, and those from `first` on are the statement's."""
    token = _symbol_token(parsed)
    return base + token if token is not None and token >= first and base + token < end else None


def _symbol_token(parsed: ParsedOp) -> Ref | None:
    """The token that names the symbol: `@f`, or in the generic form the string after `sym_name =`."""
    source = parsed.attributes.get("sym_name")
    if isinstance(source, SymbolToken):
        return source.token
    for node in (parsed.properties, parsed.attr_dict):
        for entry in node.walk() if node is not None else ():
            if entry.kind == "entry" and entry.leaves[0] in ("sym_name", '"sym_name"'):
                return next(
                    (leaf.ref for node in entry.nodes for leaf in node.all_leaves() if leaf.type == "STRING"), None
                )
    return None


class _Marked(NamedTuple):
    """Whether a statement of a chunk begins a table, and the indices of those that close regions and say more of what
    stands `beside` these than that they end."""

    has_table: bool
    beside: tuple[int, ...]


def _marked(chunk: Chunk[Piece]) -> _Marked:
    checkpoint()
    behind: list[int] = []
    has_table = False
    for index, piece in enumerate(chunk.elements):
        shape = piece.shape
        if not shape.pops and not shape.pushes and len(shape.events) < 2:
            continue
        begins_table, says_more = shape.known(_kind)
        has_table = has_table or begins_table
        if says_more and shape.pops:
            behind.append(index)
    return _Marked(has_table, tuple(behind))


def _kind(shape: Shape) -> tuple[bool, bool]:
    """Whether statements of a shape begin a table, and whether they say more of operations than that they end."""
    said = shape.known(parts)
    return any(part.is_table for part in said), any(part.begins or part.name is not None for part in said)


def _within(chunk: Chunk[Piece]) -> tuple[int, ...]:
    """The indices of the statements of a chunk that begin a symbol or a table, or end a region."""
    checkpoint()
    return tuple(index for index, piece in enumerate(chunk.elements) if piece.shape.known(_bounds))


def _bounds(shape: Shape) -> bool:
    return any(part.is_table or part.name is not None or not part.begins for part in shape.known(parts))


def said(item: Item) -> Iterator[tuple[int, int, Part]]:
    """What the statements of an item say of operations that stand where it does, or in tables inside it: each with the
    index of the statement, and with how many regions are around it in the item, below zero behind the end of regions
    around the item. One that nothing is said to end ends with the item, or goes on behind it."""
    first = max(item.first_statement, 0)
    yield from _said_at(item, first, item.pieces[first])
    if not item.pieces[first].shape.pushes:
        return
    marked = item.pieces.known(_marked)
    has_table = any(part.has_table for part in marked)
    indices_by_piece = item.pieces.known(_within) if has_table else [part.beside for part in marked]
    for start, indices in zip(item.pieces.starts, indices_by_piece, strict=False):
        for index in indices:
            if start + index > first:
                yield from _said_at(item, start + index, item.pieces[start + index])


def _said_at(item: Item, index: int, piece: Piece) -> Iterator[tuple[int, int, Part]]:
    # A function that is not closed is not around the one that ends it.
    base = piece.frame.depth - item.frame.containers
    said = ((index, base + part.depth, part) for part in piece.shape.known(parts))
    return (place for place in said if place[1] <= DEEPEST)
