"""The outline of a document: its modules, functions and globals, also while parts of it are broken."""

from __future__ import annotations

from collections.abc import Iterable

from fathom.records import field, record
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom_server.model.scoping import Role, Symbol, end_of, ends_in, role, symbols_of
from fathom_server.model.snapshot import Snapshot


@record(frozen=False)
class OutlineEntry:
    """A symbol with those inside it; offsets of the document. `detail` is its operation and signature. Where lines
    `// -----` divide the document, also each split, which is no symbol."""

    name: str
    symbol: Symbol | None
    role: Role | None
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: list[OutlineEntry] = field(default_factory=list["OutlineEntry"])


def outline(snapshot: Snapshot) -> list[OutlineEntry]:
    """The symbols at the top level, in the order of the text; a named table holds those inside it, and a split of a
    document that is divided those that stand there."""
    tree = snapshot.tree
    starts = tree.split_starts
    if len(starts) == 1:
        return _symbols(snapshot, tree.items.with_offsets())
    entries: list[OutlineEntry] = []
    for number, first in enumerate(starts, 1):
        around, start = tree.split_around(first), tree.start(first)
        items = tree.items[around.start : around.stop]
        head = start + (tree.items[first].pieces[0].end if tree.items[first].begins_split else 0)
        placed = ((item, start + offset) for item, offset in items.with_offsets())
        symbols = _symbols(snapshot, placed)
        entry = OutlineEntry(f"split {number}", None, None, "", start, start + items.length, start, head, symbols)
        entries.append(entry)
    return entries


def _symbols(snapshot: Snapshot, items: Iterable[tuple[Item, int]]) -> list[OutlineEntry]:
    """The outermost symbols among some items, each of which stands at an offset."""
    top: list[OutlineEntry] = []
    stack: list[tuple[OutlineEntry, Symbol]] = []
    last = 0

    def leave() -> None:
        entry, table = stack.pop()
        if table.is_open:
            entry.end = last

    for item, start in paced(items):
        while stack and item.frame.containers <= stack[-1][1].depth:
            leave()
        last = start + end_of(item)
        for symbol in symbols_of(item):
            while stack and (stack[-1][1].item is item) > (stack[-1][1].start in symbol.tables):
                leave()
            while stack and symbol.depth <= stack[-1][1].depth:
                stack.pop()[0].end = start + ends_in(item)[item.frame.containers - symbol.depth - 1]
            entry = _entry(snapshot, symbol, start)
            (stack[-1][0].children if stack else top).append(entry)
            if entry.role is Role.TABLE and symbol.has_body:
                stack.append((entry, symbol))
    while stack:
        leave()
    return top


def _entry(snapshot: Snapshot, symbol: Symbol, start: int) -> OutlineEntry:
    return OutlineEntry(
        f"@{symbol.name}",
        symbol,
        role(snapshot, symbol),
        detail_of(symbol),
        start + symbol.start,
        start + symbol.full_end,
        start + symbol.name_start,
        start + symbol.name_end,
    )


def detail_of(symbol: Symbol) -> str:
    """The operation of a symbol, and its header behind its name."""
    item = symbol.item
    if item.text_between(symbol.name_start, symbol.name_start + 1) != "@":
        # The generic form has its signature at its end.
        return symbol.op_name
    header = item.text_between(symbol.name_end, min(symbol.end, symbol.name_end + 1000)).strip().rstrip("{").strip()
    header = " ".join(header.split())
    return f"{symbol.op_name} {header[:120]}".rstrip()
