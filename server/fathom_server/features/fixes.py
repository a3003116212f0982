"""What would mend a mistake: the names that were probably meant. One function for each kind of mistake, by its code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import Final

from fathom.diagnostics import UNDECLARED_VALUE, UNKNOWN_OP, UNREGISTERED, Diagnostic
from fathom.ir.operation import Block, Operation, Span
from fathom.ir.types import POISON
from fathom.syntax.pieces import Piece
from fathom.syntax.tree import Item
from fathom_server.features.edits import Fix, Replacement
from fathom_server.model.elaboration import diagnostics, elaborated
from fathom_server.model.snapshot import Snapshot

MOST: Final = 3
"""So many names are offered for one."""


def fixes_at(snapshot: Snapshot, start: int, end: int) -> list[Fix]:
    """The fixes of the mistakes that a range of the document touches, the likeliest of each mistake first."""
    found: list[Fix] = []
    for item, base, mistake, span in _found_at(snapshot, start, end):
        fix = FIXES.get(mistake.code)
        if fix is not None and mistake.follows_from is None:
            place = (base + span.start, base + span.end)
            found += [Fix(f"Change to `{name}`", Replacement(*place, name)) for name in fix(snapshot, item, span)]
    return found


def unknown_dialects_at(snapshot: Snapshot, start: int, end: int) -> Iterator[str]:
    """The dialects that nobody has described of the operations that a range of the document touches."""
    for item, _, found, span in _found_at(snapshot, start, end):
        dialect, dot, _ = item.text_between(span.start, span.end).partition(".")
        if found.code == UNKNOWN_OP and dot and snapshot.context.dialect(dialect) is None:
            yield dialect


def _found_at(snapshot: Snapshot, start: int, end: int) -> Iterator[tuple[Item, int, Diagnostic, Span]]:
    """What was found at a range of the document, with the item, where that begins, and the place in it."""
    tree = snapshot.tree
    if not tree.items:
        return
    for index in range(tree.item_at_offset(start), tree.item_at_offset(end) + 1):
        item, base = tree.items[index], tree.start(index)
        for found in diagnostics(snapshot, item):
            span = found.span
            if span is not None and base + span.start <= end and start <= base + span.end:
                yield item, base, found, span


def _operations(snapshot: Snapshot, item: Item, span: Span) -> Iterable[str]:
    """The operations of the dialect whose names are like the one that stands at a place."""
    word = item.text_between(span.start, span.end)
    prefix, dot, rest = word.partition(".") if "." in word else ("", "", word)
    dialect = snapshot.context.dialect(prefix if dot else _piece_at(item, span.start)[0].frame.default_dialect)
    names = [each.partition(".")[2] for each in dialect.by_name] if dialect is not None else []
    return [f"{prefix}{dot}{name}" for name in get_close_matches(rest, names, MOST)]


def _piece_at(item: Item, offset: int) -> tuple[Piece, int]:
    """The statement at an offset in an item, and where it begins."""
    index = item.piece_at(offset)
    return item.pieces[index], item.start(index)


def _values(snapshot: Snapshot, item: Item, span: Span) -> Iterable[str]:
    """The values before a place that can be used there, of the type that is wanted, and whose names are alike."""
    known = elaborated(snapshot, item)
    piece, start = _piece_at(item, span.start)
    site = known.sites[piece]
    wanted = next((value for token, value in site.uses.items() if site.span(token).first == span.start - start), None)
    if wanted is None:
        return ()
    around = {block for user in wanted.uses for block in _blocks_around(user)}
    names: list[str] = []
    for value, place in known.definitions():
        where = place.span
        fits = value.type == wanted.type or POISON in (value.type, wanted.type)
        if fits and where.end <= span.start and value.parent_block in around:
            names.append(item.text_between(where.start, where.end).partition(":")[0])
    return get_close_matches(item.text_between(span.start, span.end), dict.fromkeys(names), MOST)


def _blocks_around(op: Operation) -> Iterable[Block]:
    block = op.parent
    while block is not None:
        yield block
        owner = block.parent.parent if block.parent is not None else None
        block = owner.parent if owner is not None else None


FIXES: Final[dict[str, Callable[[Snapshot, Item, Span], Iterable[str]]]] = {
    UNDECLARED_VALUE: _values,
    UNREGISTERED: _operations,
}
