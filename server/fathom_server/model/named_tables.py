"""What stands in the symbol tables that a module to be lowered names by paths, such as `@kernels::@k`. Of a table there
is as much as is named: it is declared, and has these symbols with their bodies, since not all could do without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from fathom.ir.clone import clone
from fathom.ir.operation import Block, Operation
from fathom.ir.symbol_references import references_of_operation
from fathom.slices import paced
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lookup import Scope, header, scope_in, split_in, symbol, text_order
from fathom_server.model.outlines import declaration
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Role, Unit, holds_symbols, item_of, role_of, unit_of

Path: TypeAlias = "tuple[str, ...]"
"""The names of tables, each in the one before it, the first in the scope of the module."""


def units_in_tables(snapshot: Snapshot, scope: Scope, units: Iterable[Unit]) -> dict[Unit, Path]:
    """The units in tables of a scope that some units of it lead to by paths, and those that these name in turn, in the
    order of the text; each with the path of the table around it."""
    paths: dict[Unit, Path] = {}
    pending = [path for unit in units for path in _paths(snapshot, unit) if len(path) > 1]
    met: set[Path] = set()
    while pending:
        path = pending.pop()
        if path in met:
            continue
        met.add(path)
        around = path[:-1]
        inside = _scope_in(snapshot, scope, around)
        named = symbol(snapshot, inside, path[-1]) if inside is not None else None
        if named is None or role_of(named, snapshot.context) is Role.TABLE or (unit := unit_of(named)) in paths:
            continue
        paths[unit] = around
        pending += [(*around, *path) for path in _paths(snapshot, unit)]
    met_first = tuple(paths)
    return {met_first[index]: paths[met_first[index]] for index in text_order(snapshot, scope, met_first)}


def _paths(snapshot: Snapshot, unit: Unit) -> Iterator[Path]:
    """What the item of a unit refers to."""
    for root in elaborated(snapshot, item_of(unit)).operations:
        for op in paced(root.walk()):
            for reference in references_of_operation(op):
                yield reference.path


def _scope_in(snapshot: Snapshot, scope: Scope, tables: Path) -> Scope | None:
    """The scope of what stands in a table; None where there is no such table."""
    for name in tables:
        table = symbol(snapshot, scope, name)
        if table is None or not holds_symbols(table):
            return None
        scope = scope_in(snapshot, table)
    return scope


class Tables:
    """The declared tables of a module with what stands in a scope, to be filled."""

    def __init__(self, snapshot: Snapshot, scope: Scope) -> None:
        self._snapshot = snapshot
        self._scope = scope
        self._known: dict[Path, Operation] = {}

    def add(self, name: str, table: Operation) -> None:
        """Takes in a table of the scope, and gives it a body."""
        self._known[(name,)] = table
        self._body(table)

    def fill(self, path: Path, operations: Iterable[Operation]) -> None:
        """Puts operations into a table."""
        table = self._table(path)
        if table is not None:
            body = self._body(table)
            for op in operations:
                body.append(op)

    def _body(self, table: Operation) -> Block:
        region = table.regions[0]
        return region.append(Block()) if region.first is None else region.first

    def _table(self, path: Path) -> Operation | None:
        """A table, which is declared in the one around it if it is not there yet; None where its beginning, or that of
        one around it, is broken."""
        if path not in self._known:
            if len(path) == 1:
                return None  # It would have been taken in.
            around, inside = self._table(path[:-1]), _scope_in(self._snapshot, self._scope, path[:-1])
            named = header(self._snapshot, inside, path[-1]) if inside is not None else None
            known = declaration(self._snapshot, named, split_in(self._scope)) if named is not None else None
            if around is None or known is None:
                return None
            self._known[path] = self._body(around).append(clone(known))
        return self._known[path]
