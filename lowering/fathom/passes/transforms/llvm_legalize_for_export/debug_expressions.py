"""Makes one fragment of several that follow each other in a debug expression, wherever in attributes it stands.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.debug_info.fragments import joined
from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.symbol_references import elements_in
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

EXPRESSION: Final = "llvm.di_expression"


def merge_fragments(root: Operation) -> None:
    """Works on the attributes of all operations in `root`."""
    known: dict[Attribute, Attribute] = {}
    for op in root.walk():
        for attributes in (op.properties, op.attributes):
            for name, attribute in attributes.items():
                if any(
                    isinstance(element, DialectAttr) and _is_expression(element) for element in elements_in(attribute)
                ):
                    attributes[name] = _merged(attribute, known)


def _is_expression(attribute: DialectAttr) -> bool:
    return attribute.full_name == EXPRESSION


def _merged(attribute: Attribute, known: dict[Attribute, Attribute]) -> Attribute:
    """The attribute with its expressions, at any depth, merged; `known` are those that this was done with."""
    known_text = known.get(attribute)
    if known_text is not None:
        return known_text
    merged = attribute
    match attribute:
        case ArrayAttr(elements):
            merged = ArrayAttr(tuple(_merged(element, known) for element in elements))
        case DictAttr(entries):
            merged = DictAttr(tuple((name, _merged(value, known)) for name, value in entries))
        case DialectAttr(parameters=parameters):
            if _is_expression(attribute):
                parameters = tuple(
                    joined(parameter) if isinstance(parameter, tuple) else parameter for parameter in parameters
                )
            merged = replace(attribute, parameters=tuple(_parameter(parameter, known) for parameter in parameters))
        case _:
            pass
    known[attribute] = merged
    return merged


def _parameter(parameter: Parameter, known: dict[Attribute, Attribute]) -> Parameter:
    if isinstance(parameter, tuple):
        return tuple(_parameter(element, known) for element in parameter)
    return _merged(parameter, known) if isinstance(parameter, Attribute) else parameter
