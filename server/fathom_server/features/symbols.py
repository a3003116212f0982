"""The outline of a document: its modules, functions and globals, also while parts of it are broken."""

from __future__ import annotations

from fathom.records import field, record
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Role, Symbol, end_of, role_of, symbols_of


@record(frozen=False)
class OutlineEntry:
    """A symbol with those inside it; offsets of the document. `detail` is its operation and signature."""

    symbol: Symbol
    role: Role
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    children: list[OutlineEntry] = field(default_factory=list["OutlineEntry"])


def outline(snapshot: Snapshot) -> list[OutlineEntry]:
    """The symbols at the top level, in the order of the text; a named module holds those inside it."""
    tree = snapshot.tree
    top: list[OutlineEntry] = []
    stack: list[OutlineEntry] = []
    last = 0
    for item, start in tree.items.with_offsets():
        while stack and item.frame.depth <= stack[-1].symbol.depth:
            stack.pop().end = last
        last = start + end_of(item)
        for symbol in symbols_of(item):
            entry = OutlineEntry(
                symbol,
                role_of(symbol, snapshot.context),
                _detail(symbol),
                start + symbol.start,
                start + symbol.full_end,
                start + symbol.name_start,
                start + symbol.name_end,
            )
            (stack[-1].children if stack else top).append(entry)
            if entry.role is Role.TABLE and symbol.has_body:
                stack.append(entry)
    for entry in stack:
        entry.end = last
    return top


def _detail(symbol: Symbol) -> str:
    item = symbol.item
    if item.text_between(symbol.name_start, symbol.name_start + 1) != "@":
        # The generic form has its signature at its end.
        return symbol.op_name
    header = item.text_between(symbol.name_end, min(symbol.end, symbol.name_end + 1000)).strip().rstrip("{").strip()
    header = " ".join(header.split())
    return f"{symbol.op_name} {header[:120]}".rstrip()
