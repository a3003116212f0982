"""What clients call a symbol: its path from the top of its part of the document, as MLIR writes it, without the first
`@`: `f`, `inner::@f`, `"a name"`. A table without a name is no part of a path.

Where the document has several of one path, as in the parts between `// -----` lines, the second in the order of the
text is `f#2`, and so on.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

from fathom.elaborate.symbol_paths import read_numbered, write_numbered
from fathom.syntax.tree import Item
from fathom_server.model.lookup import is_repeated, named, tables_around
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol, table_of

KEPT: Final = 64
"""So many names of symbols are remembered with the paths that they have: those that were asked for last."""


def name_of(snapshot: Snapshot, symbol: Symbol) -> str:
    """What clients call a symbol."""
    path = _path_of(snapshot, symbol)
    if not is_repeated(snapshot, symbol.name):
        return _written(path, 1)
    return _written(path, _numbers(snapshot, symbol.name)[symbol.item, symbol.start])


def find(snapshot: Snapshot, name: str) -> Symbol | None:
    """The symbol that clients call so."""
    path, number = read_numbered(name)
    homonyms = _by_path(snapshot, path[-1]).get(path, ()) if path else ()
    return homonyms[number - 1] if number <= len(homonyms) else None


def normalized(name: str) -> str:
    """The one way to write a name, which may be written with or without `@` and quotes."""
    path, number = read_numbered(name)
    return _written(path, number) if path else name


def _written(path: tuple[str, ...], number: int) -> str:
    return write_numbered(path, number).removeprefix("@")


@query(keep=KEPT)
def _by_path(snapshot: Snapshot, name: str) -> dict[tuple[str, ...], list[Symbol]]:
    """The symbols of a name by their paths, in the order of the text."""
    by_path: dict[tuple[str, ...], list[Symbol]] = {}
    for symbol in named(snapshot, name):
        by_path.setdefault(_path_of(snapshot, symbol), []).append(symbol)
    return by_path


@query(keep=KEPT)
def _numbers(snapshot: Snapshot, name: str) -> dict[tuple[Item, int], int]:
    """Which of its path each symbol of a name is, counted from 1, by where it begins in its item."""
    alike = _by_path(snapshot, name).values()
    return {(symbol.item, symbol.start): number for homonyms in alike for number, symbol in enumerate(homonyms, 1)}


def _path_of(snapshot: Snapshot, symbol: Symbol) -> tuple[str, ...]:
    scope = tables_around(snapshot, symbol.item)
    around = ((beginning.item, beginning.start) for beginning in scope[: len(scope) - symbol.left])
    inner = ((symbol.item, start) for start in symbol.tables)
    tables = (table_of(item, start) for item, start in chain(around, inner))
    return (*(table.name for table in tables if table is not None), symbol.name)
