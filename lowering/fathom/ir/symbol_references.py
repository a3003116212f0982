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
                found += (each.root for each in elements_in(attribute) if isinstance(each, SymbolRefAttr))
    return found


def elements_in(attribute: Attribute) -> Iterator[Attribute]:
    """The attribute itself; of an array or a dictionary what is in it, at any depth."""
    match attribute:
        case ArrayAttr(elements):
            for element in elements:
                yield from elements_in(element)
        case DictAttr(entries):
            for _, value in entries:
                yield from elements_in(value)
        case _:
            yield attribute
