"""Symbols: that each name is given once in its table, and that uses of names fit what they name.

Source of the rules: *Symbols and Symbol Tables*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from fathom.diagnostics import Diagnostic, Note
from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Operation
from fathom.irdl.interfaces import SymbolTable, symbol_name

SymbolLookup: TypeAlias = Callable[[str], "Operation | None"]

VISIBILITIES = ("public", "private", "nested")
UNDEFINED_TABLES: Final = frozenset(("gpu.module",))
"""Symbol tables among the operations that have no definition here."""


def is_symbol_table(op: Operation) -> bool:
    """Whether the symbols in an operation are its own."""
    return op.interface(SymbolTable) is not None or op.name in UNDEFINED_TABLES


def operations_in(table: Operation) -> Iterator[Operation]:
    """The operations directly in an operation, block by block."""
    for region in table.regions:
        for block in region.blocks:
            yield from block


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


def lookup_in(table: Operation | None) -> SymbolLookup:
    """The symbols of a table by name; those of no table are none."""
    found: dict[str, Operation] = {}
    for op in operations_in(table) if table is not None else ():
        name = symbol_name(op)
        if name:
            found.setdefault(name, op)
    return found.get


def enclosing_table(op: Operation) -> Operation | None:
    """The innermost symbol table that `op` stands in."""
    parent = op.parent_op
    while parent is not None and not is_symbol_table(parent):
        parent = parent.parent_op
    return parent


def in_unknown(op: Operation, name: str) -> Operation | None:
    """What has a name in an operation around `op`, and in the same symbol table, that nobody defines: it may well be a
    table itself."""
    around = op.parent_op
    while around is not None and not is_symbol_table(around):
        if around.definition is None:
            found = next((each for each in operations_in(around) if symbol_name(each) == name), None)
            if found is not None:
                return found
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
