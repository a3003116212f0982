"""The symbols that attributes refer to."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.operation import Operation


def references_of_operation(op: Operation) -> list[SymbolRefAttr]:
    """The references to symbols in the attributes of an operation. One whose checks look symbols up may give their
    names as strings, as `tosa.variable_read @x` does."""
    found: list[SymbolRefAttr] = []
    for attributes in (op.properties, op.attributes):
        if not attributes:
            continue  # as most are, of a great many operations
        for name, attribute in attributes.items():
            if isinstance(attribute, StringAttr):
                if name != "sym_name" and op.definition is not None and op.definition.verify_symbols is not None:
                    found.append(SymbolRefAttr(attribute.value))
            elif isinstance(attribute, (SymbolRefAttr, ArrayAttr, DictAttr, DialectAttr)):
                found += (element for element in elements_in(attribute) if isinstance(element, SymbolRefAttr))
    return found


def elements_in(attribute: Attribute) -> Iterator[Attribute]:
    """The attribute itself; of an array or a dictionary what is in it, and of one of a dialect also its parameters, at
    any depth. What stands in it several times, under an alias, is gone through once."""
    met: set[int] = set()
    pending: list[Parameter] = [attribute]
    while pending:
        found = pending.pop()
        if isinstance(found, (ArrayAttr, DictAttr, DialectAttr)):
            if id(found) in met:
                continue
            met.add(id(found))
        match found:
            case tuple():
                pending += reversed(found)
            case ArrayAttr(elements):
                pending += reversed(elements)
            case DictAttr(entries):
                pending += [value for _, value in reversed(entries)]
            case DialectAttr(parameters=parameters):
                yield found
                pending += reversed(parameters)
            case Attribute():
                yield found
            case _:
                pass
