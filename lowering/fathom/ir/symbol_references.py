"""The symbols that attributes refer to."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, SymbolRefAttr
from fathom.ir.operation import Operation


def symbols_of_operation(op: Operation) -> list[str]:
    """The names of the symbols that the attributes of an operation refer to, each as often as it does."""
    found: list[str] = []
    for attributes in (op.properties, op.attributes):
        if not attributes:
            continue  # as most are, of a great many operations
        for attribute in attributes.values():
            if isinstance(attribute, (SymbolRefAttr, ArrayAttr, DictAttr)):
                found += _symbols_in(attribute)
    return found


def _symbols_in(attribute: Attribute) -> Iterator[str]:
    match attribute:
        case SymbolRefAttr(root):
            yield root
        case ArrayAttr(elements):
            for element in elements:
                yield from _symbols_in(element)
        case DictAttr(entries):
            for _, value in entries:
                yield from _symbols_in(value)
        case _:
            pass
