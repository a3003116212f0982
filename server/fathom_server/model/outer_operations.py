"""The operations that stand where an item does, read off its syntax: they are there while the rest of it is broken.

Most often that is one, of which the first statement says how it begins and the last how it ends. But a line may have
several, and one may begin behind the brace of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fathom.slices import checkpoint, paced
from fathom.syntax.events import BrokenEndEvent, ErrorEvent, OpenEvent, OpEvent, UnclosedEvent
from fathom.syntax.nodes import ParsedOp, Ref, SymbolToken
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.shapes import Shape
from fathom.syntax.tree import Item


class Part(NamedTuple):
    """What a statement says of an operation: with `begins` how it begins, with `ends` how it ends, or all of it.

    `depth` is how much deeper than before the statement the operation stands. `name` is the token of its name, if that
    is the name of a symbol and stands here; `header` and `last` those behind its header and behind all of it.
    """

    depth: int
    begins: bool
    ends: bool
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
                    yield Part(depth, not ends_region, True, parsed, base, base + parsed.start, name, last, last)
            case OpenEvent(open, base, brace, first, reopens):
                parsed = open.parsed
                if parsed is not None and not reopens:
                    name = _name_token(parsed, base - first, first, brace)
                    yield Part(depth, True, False, parsed, base, base + parsed.start, name, brace + 1, brace + 1)
                depth += not reopens
            case ErrorEvent(_, start, _, end, parsed, base, closes):
                depth -= closes
                if closes or parsed is not None:
                    first = start if parsed is None else base + parsed.start
                    name = _name_token(parsed, base, start - base, len(shape.tokens)) if parsed is not None else None
                    yield Part(depth, not closes, not shape.pushes, parsed, base, first, name, end, end)
            case BrokenEndEvent(at):
                depth -= 1
                yield Part(depth, False, True, None, 0, at, None, at + 1, at + 1)
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
                return next((leaf.ref for leaf in entry.nodes[0].all_leaves() if leaf.type == "STRING"), None)
    return None


def _behind(chunk: Chunk[Piece]) -> tuple[int, ...]:
    """The indices of the statements of a chunk that close regions and say more of what stands beside these than that
    they end."""
    checkpoint()
    return tuple(index for index, piece in enumerate(chunk.elements) if piece.shape.pops and _says_more(piece.shape))


def _says_more(shape: Shape) -> bool:
    return any(part.begins or part.name is not None for part in shape.known(parts))


def beside(item: Item) -> Iterator[tuple[int, int, Part]]:
    """What the statements of an item say of operations that stand where it does, or in tables that it opens there:
    each with the index of the statement, and with how many such tables are around it. One that nothing is said to end
    ends with the item, or goes on behind it."""
    first = max(item.first_statement, 0)
    piece = item.pieces[first]
    # A function that is not closed is not around the one that ends it.
    own = item.frame.containers
    for part in piece.shape.known(parts):
        if (inside := piece.frame.depth + part.depth - own) >= 0:
            yield first, inside, part
    if not piece.shape.pushes:
        return
    for start, indices in zip(item.pieces.starts, item.pieces.known(_behind), strict=False):
        for index in indices:
            piece = item.pieces[start + index]
            for part in piece.shape.known(parts) if start + index > first else ():
                if (inside := piece.frame.depth + part.depth - own) >= 0:
                    yield start + index, inside, part
