"""What clients call a symbol: its path from the top of its part of the document, as MLIR writes it, without the first
`@`: `f`, `inner::@f`, `"a name"`. A table without a name is no part of a path.

Where the document has several of one path, as in the parts between `// -----` lines, the second in the order of the
text is `f#2`, and so on.
"""

from __future__ import annotations

from itertools import chain

from fathom.elaborate.symbol_paths import read_numbered, write_numbered
from fathom_server.model.lookup import named, tables_around
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol, table_of


def name_of(snapshot: Snapshot, symbol: Symbol) -> str:
    """What clients call a symbol."""
    path = _path_of(snapshot, symbol)
    return _written(path, _of_path(snapshot, path).index(symbol) + 1)


def find(snapshot: Snapshot, name: str) -> Symbol | None:
    """The symbol that clients call so."""
    path, number = read_numbered(name)
    found = _of_path(snapshot, path) if path else []
    return found[number - 1] if number <= len(found) else None


def normalized(name: str) -> str:
    """The one way to write a name, which may be written with or without `@` and quotes."""
    path, number = read_numbered(name)
    return _written(path, number) if path else name


def _written(path: tuple[str, ...], number: int) -> str:
    return write_numbered(path, number).removeprefix("@")


def _of_path(snapshot: Snapshot, path: tuple[str, ...]) -> list[Symbol]:
    """The symbols of a path, in the order of the text."""
    return [symbol for symbol in named(snapshot, path[-1]) if _path_of(snapshot, symbol) == path]


def _path_of(snapshot: Snapshot, symbol: Symbol) -> tuple[str, ...]:
    scope = tables_around(snapshot, symbol.item)
    around = ((each.item, each.start) for each in scope[: len(scope) - symbol.left])
    inner = ((symbol.item, start) for start in symbol.tables)
    tables = (table_of(item, start) for item, start in chain(around, inner))
    return (*(table.name for table in tables if table is not None), symbol.name)
