"""Makes one fragment of several that follow each other in a debug expression, since LLVM IR takes one.

    DW_OP_LLVM_fragment(32, 32), DW_OP_LLVM_fragment(32, 64)      ->      DW_OP_LLVM_fragment(64, 32)

The offsets add up; the size is that of the first, which is nearest to the value. Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.symbol_references import elements_in
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

EXPRESSION: Final = "llvm.di_expression"
FRAGMENT: Final = "DW_OP_LLVM_fragment"


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
                    _joined(parameter) if isinstance(parameter, tuple) else parameter for parameter in parameters
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


def _joined(operators: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    parameters: list[Parameter] = []
    for operator in operators:
        before, behind = _fragment(parameters[-1]) if parameters else None, _fragment(operator)
        first = parameters[-1] if parameters else None
        if before is not None and behind is not None and isinstance(first, DialectAttr):
            offset = before[0] + behind[0]
            parameters[-1] = replace(first, parameters=(FRAGMENT, (offset, before[1])))
        else:
            parameters.append(operator)
    return tuple(parameters)


def _fragment(operator: Parameter) -> tuple[int, int] | None:
    """Offset and size of a fragment; None for any other operator."""
    match operator:
        case DialectAttr(parameters=(str(name), (int(offset), int(size)))) if name == FRAGMENT:
            return offset, size
        case _:
            return None
