"""The symbols that attributes refer to."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.operation import Operation


def references_of_operation(op: Operation) -> list[SymbolRefAttr]:
    """The references to symbols in the attributes of an operation. One whose checks look symbols up may give their
    names as strings, as `tosa.variable_read @x` does."""
    references: list[SymbolRefAttr] = []
    for attributes in (op.properties, op.attributes):
        if not attributes:
            continue  # as most are, of a great many operations
        for name, attribute in attributes.items():
            if isinstance(attribute, StringAttr):
                if name != "sym_name" and op.definition is not None and op.definition.verify_symbols is not None:
                    references.append(SymbolRefAttr(attribute.value))
            elif isinstance(attribute, (SymbolRefAttr, ArrayAttr, DictAttr, DialectAttr)):
                references += (element for element in elements_in(attribute) if isinstance(element, SymbolRefAttr))
    return references


def elements_in(attribute: Attribute) -> Iterator[Attribute]:
    """The attribute itself; of an array or a dictionary what is in it, and of one of a dialect also its parameters, at
    any depth. What stands in it several times, under an alias, is gone through once."""
    met: set[int] = set()
    pending: list[Parameter] = [attribute]
    while pending:
        part = pending.pop()
        if isinstance(part, (ArrayAttr, DictAttr, DialectAttr)):
            if id(part) in met:
                continue
            met.add(id(part))
        match part:
            case tuple():
                pending += reversed(part)
            case ArrayAttr(elements):
                pending += reversed(elements)
            case DictAttr(entries):
                pending += [value for _, value in reversed(entries)]
            case DialectAttr(parameters=parameters):
                yield part
                pending += reversed(parameters)
            case Attribute():
                yield part
            case _:
                pass
