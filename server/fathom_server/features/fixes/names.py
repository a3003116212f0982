"""The names that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Block, Operation
from fathom.ir.types import POISON
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.model.lookup import scope_of
from fathom_server.model.symbols import Role, role_of, symbols_of

MOST: Final = 3
"""So many names are offered for one."""


def _changes(mistake: Mistake, names: Iterable[str], start: int, end: int) -> Iterator[Fix]:
    for name in names:
        yield Fix(f"Change to `{name}`", (mistake.replaced(start, end, name),))


def operations(mistake: Mistake) -> Iterator[Fix]:
    """The operations of the dialect whose names are like the one that stands there."""
    item, span = mistake.item, mistake.span
    word = item.text_between(span.start, span.end)
    prefix, dot, rest = word.partition(".") if "." in word else ("", "", word)
    default = item.pieces[item.piece_at(span.start)].frame.default_dialect
    dialect = mistake.snapshot.context.dialect(prefix if dot else default)
    names = [each.partition(".")[2] for each in dialect.by_name] if dialect is not None else []
    near = (f"{prefix}{dot}{name}" for name in get_close_matches(rest, names, MOST))
    return _changes(mistake, near, span.start, span.end)


def values(mistake: Mistake) -> Iterator[Fix]:
    """The values before the place that can be used there, of the type that is wanted, and whose names are alike."""
    item, span, known = mistake.item, mistake.span, mistake.known
    index = item.piece_at(span.start)
    site = known.sites[item.pieces[index]]
    first = span.start - item.start(index)
    wanted = next((value for token, value in site.uses.items() if site.span(token).first == first), None)
    if wanted is None:
        return
    around = {block for user in wanted.uses for block in _blocks_around(user)}
    names: list[str] = []
    for value, place in known.definitions():
        where = place.span
        fits = value.type == wanted.type or POISON in (value.type, wanted.type)
        if fits and where.end <= span.start and value.parent_block in around:
            names.append(item.text_between(where.start, where.end).partition(":")[0])
    near = get_close_matches(item.text_between(span.start, span.end), dict.fromkeys(names), MOST)
    yield from _changes(mistake, near, span.start, span.end)


def _blocks_around(op: Operation) -> Iterable[Block]:
    block = op.parent
    while block is not None:
        yield block
        owner = block.parent.parent if block.parent is not None else None
        block = owner.parent if owner is not None else None


def functions(mistake: Mistake) -> Iterator[Fix]:
    """The functions in the same scope whose names are like the one that is called."""
    op, snapshot = mistake.op(), mistake.snapshot
    callee = op.properties.get("callee") if op is not None else None
    if op is None or not isinstance(callee, SymbolRefAttr) or callee.nested:
        return
    scope = scope_of(snapshot, mistake.item)
    names = [
        symbol.name
        for item in snapshot.tree.items
        for symbol in symbols_of(item)
        if role_of(symbol, snapshot.context) is Role.FUNCTION and scope_of(snapshot, item) == scope
    ]
    statement = mistake.statement(op)
    place = mistake.text.find(f"@{callee.root}", statement.start, statement.end)
    if place >= 0:
        near = (f"@{name}" for name in get_close_matches(callee.root, names, MOST))
        yield from _changes(mistake, near, place, place + 1 + len(callee.root))
