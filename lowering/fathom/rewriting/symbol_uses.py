"""Who uses the symbols of a table, and how they are found by name.

Source of the rules: *Symbols and Symbol Tables*, and mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Call, symbol_name
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.rewriting.dead_symbols import references_in, visibility_of

if TYPE_CHECKING:
    from fathom.ir.attributes import SymbolRefAttr
    from fathom.ir.operation import Operation


class SymbolTables:
    """Finds symbols by their names; each table is read once, so they must not change meanwhile."""

    def __init__(self) -> None:
        self._known: dict[Operation, dict[str, Operation]] = {}

    def of(self, table: Operation) -> dict[str, Operation]:
        """The symbols directly in an operation, by name."""
        symbols = self._known.get(table)
        if symbols is None:
            symbols = self._known[table] = {}
            for op in table.regions[0].operations() if table.regions else ():
                name = symbol_name(op)
                if name:
                    symbols.setdefault(name, op)
        return symbols

    def resolve(self, table: Operation, reference: SymbolRefAttr) -> Operation | None:
        """The symbol at the end of a reference from a table."""
        symbol: Operation | None = table
        for name in (reference.root, *reference.nested):
            symbol = self.of(symbol).get(name) if symbol is not None and symbol.has(SYMBOL_TABLE) else None
        return symbol

    def nearest(self, op: Operation, reference: SymbolRefAttr, scope: Operation) -> Operation | None:
        """The symbol that a reference names in the nearest table around `op`; None if that is not within `scope`."""
        table: Operation | None = op.parent_op
        while table is not None and not table.has(SYMBOL_TABLE):
            if table is scope:
                return None
            table = table.parent_op
        return self.resolve(table, reference) if table is not None else None


def visible_tables(root: Operation) -> list[tuple[Operation, bool]]:
    """The symbol tables in an operation, inner ones first; and whether all that uses their symbols is in there too."""
    tables: list[tuple[Operation, bool]] = []
    pending = [(root, root.parent is None, False)]
    while pending:
        op, all_visible, is_left = pending.pop()
        if is_left:
            tables.append((op, all_visible))
            continue
        if op.has(SYMBOL_TABLE):
            all_visible = all_visible or not symbol_name(op) or visibility_of(op) == "private"
            pending.append((op, all_visible, True))
        else:
            all_visible = True
        nested = [operation for region in op.regions for operation in region.operations() if operation.regions]
        pending += ((inner, all_visible, False) for inner in reversed(nested))
    return tables


def other_uses(table: Operation) -> list[SymbolRefAttr] | None:
    """The references in a symbol table that are none of calls; None where something in it is not known that may be a
    symbol table itself."""
    references: list[SymbolRefAttr] = []
    for op in _operations_of(table):
        if op.definition is None and len(op.regions) == 1:
            return None
        if op.interface(Call) is None:
            references += (
                reference
                for attribute in (*op.properties.values(), *op.attributes.values())
                for reference in references_in(attribute)
            )
    return references


def _operations_of(table: Operation) -> Iterator[Operation]:
    """The operations in a table, but for those in tables in it."""
    pending = [op for region in table.regions for op in region.operations()]
    while pending:
        op = pending.pop()
        yield op
        if not op.has(SYMBOL_TABLE):
            pending += (inner for region in op.regions for inner in region.operations())


def users_of_symbols(root: Operation) -> dict[Operation, list[Operation]]:
    """The operations within one that refer to each symbol there, each once."""
    tables = SymbolTables()
    users_by_symbol: dict[Operation, dict[Operation, None]] = {}
    pending: list[tuple[Operation, Operation | None]] = [(root, None)]
    while pending:
        op, table = pending.pop()
        for attribute in (*op.properties.values(), *op.attributes.values()) if table is not None else ():
            for reference in references_in(attribute):
                symbol = tables.resolve(table, reference) if table is not None else None
                if symbol is not None:
                    users_by_symbol.setdefault(symbol, {})[op] = None
        inner = op if op.has(SYMBOL_TABLE) else table
        pending += [
            (nested_op, inner) for region in reversed(op.regions) for nested_op in reversed(list(region.operations()))
        ]
    return {symbol: list(users) for symbol, users in users_by_symbol.items()}
