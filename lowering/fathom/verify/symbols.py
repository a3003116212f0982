"""Symbols: that each name is given once in its table, and what names mean where an operation stands.

Source of the rules: *Symbols and Symbol Tables*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, TypeVar, cast

from fathom.diagnostics import Diagnostic, Note
from fathom.ir.attributes import StringAttr, SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.irdl.interfaces import SymbolTable, symbol_name
from fathom.irdl.symbols import symbol_in

T = TypeVar("T")

Known: TypeAlias = "dict[tuple[Callable[[Operation], object], Operation], object]"
"""What was found out about operations that are named, by who finds it out and the operation."""

VISIBILITIES = ("public", "private", "nested")


def is_symbol_table(op: Operation) -> bool:
    """Whether the symbols in an operation are its own."""
    return op.interface(SymbolTable) is not None


def operations_in(table: Operation) -> Iterator[Operation]:
    """The operations directly in an operation, block by block."""
    for region in table.regions:
        for block in region.blocks:
            yield from block


def table_problem(table: Operation) -> str | None:
    """What is wrong with the regions of a symbol table."""
    if len(table.regions) == 1 and table.regions[0].has_one_block:
        return None
    return f"Operations with a 'SymbolTable' must have exactly one {'region' if len(table.regions) != 1 else 'block'}"


def redefinitions(operations: Iterable[Operation]) -> Iterator[Diagnostic]:
    """One error for each operation whose name an earlier one of the same table has."""
    first: dict[str, Operation] = {}
    for op in operations:
        name = symbol_name(op)
        if not name:
            continue
        earlier = first.setdefault(name, op)
        if earlier is not op:
            note = Note("see existing symbol definition here", earlier.span, op=earlier)
            yield Diagnostic(f"redefinition of symbol named '{name}'", op.span, "error", "verify", (note,), op=op)


class Symbols(Protocol):
    """The symbols of a table, with those of the tables around it."""

    @property
    def outer(self) -> Symbols | None:
        """Those of the next table further out, if there is one."""
        ...

    def find(self, path: tuple[str, ...]) -> Operation | None:
        """What a path of names means in the table: see `fathom.irdl.symbols`."""
        ...


class SymbolsOf:
    """The symbols of an operation that is a symbol table."""

    def __init__(self, table: Operation, outer: Symbols | None) -> None:
        self.outer = outer
        self._named: dict[str, Operation] = {}
        for op in operations_in(table):
            if name := symbol_name(op):
                self._named.setdefault(name, op)

    def find(self, path: tuple[str, ...]) -> Operation | None:
        op = self._named.get(path[0])
        return symbol_in(op, *path[1:]) if op is not None else None


def symbols_around(op: Operation) -> Symbols | None:
    """The symbols that can be named where an operation stands."""
    tables: list[Operation] = []
    table = enclosing_table(op)
    while table is not None:
        tables.append(table)
        table = enclosing_table(table)
    symbols: Symbols | None = None
    for table in reversed(tables):
        symbols = SymbolsOf(table, symbols)
    return symbols


class Meanings:
    """What the symbols mean that an operation names, in the tables around it; `met` is what was found. `known`
    is shared by all whose symbols are looked at in one go."""

    def __init__(self, op: Operation, symbols: Symbols | None, known: Known) -> None:
        self._op = op
        self._symbols = symbols
        self._known = known
        self.met: list[Operation] = []

    def __call__(self, symbol: str | SymbolRefAttr, /) -> Operation | None:
        path = (symbol,) if isinstance(symbol, str) else symbol.path
        unknown = _in_unknown(self._op, path[0])
        if unknown is not None:
            return self._note(symbol_in(unknown, *path[1:]))
        return self._note(self._symbols.find(path)) if self._symbols is not None else None

    def outwards(self, symbol: SymbolRefAttr, /) -> Iterator[Operation | None]:
        if self._symbols is None:
            return
        yield self(symbol)
        symbols = self._symbols.outer
        while symbols is not None:
            yield self._note(symbols.find(symbol.path))
            symbols = symbols.outer

    def once(self, op: Operation, find: Callable[[Operation], T], /) -> T:
        key = find, op
        if key not in self._known:
            self._known[key] = find(op)
        return cast("T", self._known[key])

    def _note(self, op: Operation | None) -> Operation | None:
        self.met.extend(() if op is None else (op,))
        return op


def enclosing_table(op: Operation) -> Operation | None:
    """The innermost symbol table that `op` stands in."""
    parent = op.parent_op
    while parent is not None and not is_symbol_table(parent):
        parent = parent.parent_op
    return parent


def _in_unknown(op: Operation, name: str) -> Operation | None:
    """What has a name in an operation around `op`, and in the same symbol table, that nobody defines: it may well be a
    table itself."""
    around = op.parent_op
    while around is not None and not is_symbol_table(around):
        if around.definition is None:
            inner = next((operation for operation in operations_in(around) if symbol_name(operation) == name), None)
            if inner is not None:
                return inner
        around = around.parent_op
    return None


def visibility_problem(op: Operation) -> str | None:
    """What is wrong with the place or the visibility of an operation that names itself."""
    if not symbol_name(op):
        return None
    if op.results:
        return "symbols must not have results"
    parent = op.parent_op
    if parent is not None and parent.definition is not None and not is_symbol_table(parent):
        return "symbol's parent must have the SymbolTable trait"
    visibility = op.properties.get("sym_visibility")
    if isinstance(visibility, StringAttr) and visibility.value not in VISIBILITIES:
        return f'visibility expected to be one of ["public", "private", "nested"], but got {visibility}'
    return None
