"""What the index of the workspace knows of a file: its symbols with their places, and the names that stand in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fathom.records import NamedTuple
from fathom.slices import paced
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.model.scoping import is_declaration, is_linked, mentions_in
from fathom_server.model.snapshot import Snapshot

MOST_SYMBOLS: Final = 20_000
MOST_NAMES: Final = 50_000
LONGEST_NAME: Final = 500
"""Of a file no more symbols are kept, nor names that stand in it, nor names that are longer."""


class IndexedSymbol(NamedTuple):
    """A symbol of a file. `container` is the path of those around it, `role` the name of its `Role`. Its name stands in
    a line, from 0, between two columns in characters; `before` is what stands there up to its end, if that is not
    ASCII. One that `is_linked` may be that of another file (`model/linkage.py`)."""

    name: str
    container: str
    role: str
    op_name: str
    line: int
    start: int
    end: int
    before: str
    is_linked: bool
    is_declaration: bool


class IndexEntry(NamedTuple):
    """The symbols that a file defines, in the order of the text, and the names after `@` that stand in it."""

    symbols: tuple[IndexedSymbol, ...]
    names: frozenset[str]


NOTHING: Final = IndexEntry((), frozenset())


def index_entry(snapshot: Snapshot) -> IndexEntry:
    """What the index is to know of a document."""
    entries: list[IndexedSymbol] = []
    for entry in _flat(snapshot, outline(snapshot)):
        if len(entries) == MOST_SYMBOLS:
            break
        if len(entry.name) <= LONGEST_NAME:
            entries.append(entry)
    names: set[str] = set()
    for item in paced(snapshot.tree.items):
        if len(names) < MOST_NAMES:
            names |= mentions_in(item)
    return IndexEntry(tuple(entries), frozenset(name for name in names if len(name) <= LONGEST_NAME))


def _flat(snapshot: Snapshot, entries: Iterable[OutlineEntry], container: str = "") -> Iterator[IndexedSymbol]:
    for entry in entries:
        symbol, role = entry.symbol, entry.role
        if symbol is None or role is None:
            yield from _flat(snapshot, entry.children)
            continue
        line, start = snapshot.tree.line_of(entry.name_start)
        first, last = entry.name_start - start, entry.name_end - start
        text = snapshot.tree.line(line)[:last]
        around = f"{container}::{symbol.name}" if container else symbol.name
        yield IndexedSymbol(
            symbol.name,
            container,
            role.name,
            symbol.op_name,
            line,
            first,
            last,
            "" if text.isascii() else text,
            is_linked(snapshot, symbol),
            is_declaration(snapshot, symbol),
        )
        yield from _flat(snapshot, entry.children, around)
