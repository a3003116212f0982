"""Gives a symbol another name, and all that refers to it.

Source of the rules: *Symbols and Symbol Tables*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, SymbolRefAttr
from fathom.ir.symbol_references import elements_in
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def rename_symbol(op: Operation, name: str, table: Operation) -> bool:
    """Whether that can be done: False where something in the table is not known, which may be a symbol table itself.
    The operation gets its name all the same."""
    old = symbol_name(op) or ""
    users = _users(table)
    for user in users or ():
        for attributes in (user.properties, user.attributes):
            for key, attribute in attributes.items():
                if any(isinstance(part, SymbolRefAttr) and part.root == old for part in elements_in(attribute)):
                    attributes[key] = _renamed(attribute, old, name)
    op.properties["sym_name"] = StringAttr(name)
    return users is not None


def _users(table: Operation) -> list[Operation] | None:
    """The operations that may use a symbol of a table: those in it, but for those in tables in it. None where one of
    them is not known and may be a table itself."""
    users: list[Operation] = []
    pending = [op for region in table.regions for op in region.operations()]
    while pending:
        op = pending.pop()
        if op.definition is None and len(op.regions) == 1:
            return None
        users.append(op)
        if not op.has(SYMBOL_TABLE):
            pending += (inner for region in op.regions for inner in region.operations())
    return users


def _renamed(attribute: Attribute, old: str, new: str) -> Attribute:
    match attribute:
        case SymbolRefAttr(root, nested) if root == old:
            return SymbolRefAttr(new, nested)
        case ArrayAttr(elements):
            return replace(attribute, elements=tuple(_renamed(element, old, new) for element in elements))
        case DictAttr(entries):
            return replace(attribute, entries=tuple((key, _renamed(value, old, new)) for key, value in entries))
        case _:
            return attribute
