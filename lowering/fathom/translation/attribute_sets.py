"""Attributes of parameters and results, from the LLVM dialect's to LLVM IR's.

Source of the rules: *LLVM Language Reference*, "Parameter Attributes"; *'llvm' Dialect*, "`llvm.func`".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.ir_names import PARAMETERS
from fathom.ir.attributes import ArrayAttr, DictAttr, IntegerAttr, TypeAttr, UnitAttr
from fathom.ir.attributes import Attribute as MLIRAttribute
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import IntegerType
from fathom.llvmir.attributes import (
    EMPTY,
    NONE,
    Attribute,
    AttributeList,
    AttributeSet,
    AttributeValue,
    CaptureInfo,
    ConstantRange,
    StringAttribute,
    attribute_set,
)
from fathom.llvmir.constants import integer
from fathom.llvmir.types import IntegerType as LLVMIntegerType
from fathom.translation.types import Types
from fathom.translation.unsaid import Lost

TEXTS: Final = frozenset({"nvvm.grid_constant"})
"""The attributes of other dialects that MLIR translates, as texts."""


def parameter_attributes(attributes: MLIRAttribute | None, types: Types) -> AttributeSet:
    """Those of one parameter or result. Most attributes of other dialects say nothing to LLVM. Raises Lost."""
    if not isinstance(attributes, DictAttr) or not attributes.entries:
        return NONE
    said: list[Attribute | StringAttribute] = []
    for name, value in attributes.entries:
        kind = PARAMETERS.get(name)
        if kind is not None:
            if not (kind == "range" and _is_full(value)):
                said.append(Attribute(kind, CaptureInfo(()) if kind == "captures" else _value(value, types)))
        elif name in TEXTS:
            said.append(StringAttribute(name))
    return attribute_set(said)


def range_attribute(value: MLIRAttribute, types: Types) -> AttributeSet:
    """The range that a result is in."""
    return parameter_attributes(DictAttr((("llvm.range", value),)), types)


def _range(type: IntegerType, lower: int, upper: int) -> ConstantRange:
    of = LLVMIntegerType(type.width)
    return ConstantRange(type.width, integer(of, lower).value, integer(of, upper).value)


def _is_full(value: MLIRAttribute) -> bool:
    """Whether a range is that of all numbers, of which LLVM says nothing."""
    match value:
        case DialectAttr(parameters=(IntegerType(width), int(lower), int(upper))):
            return lower == upper and (lower + 1) % (1 << width) == 0
        case _:
            return False


def _value(value: MLIRAttribute, types: Types) -> AttributeValue:
    match value:
        case UnitAttr():
            return None
        case IntegerAttr(number):
            return number % (1 << 64)
        case TypeAttr(type):
            return types(type)
        case DialectAttr(name="constant_range", parameters=(IntegerType() as type, int(lower), int(upper))):
            return _range(type, lower, upper)
        case _:
            raise Lost("unsupported parameter attribute type")


def attributes_of_all(attributes: MLIRAttribute | None, count: int, types: Types) -> tuple[AttributeSet, ...]:
    """Those of each of `count` parameters; nothing where none has any. Raises Lost."""
    if not isinstance(attributes, ArrayAttr):
        return ()
    sets = tuple(parameter_attributes(element, types) for element in attributes.elements[:count])
    return sets if any(sets) else ()


def attribute_list(
    function: AttributeSet,
    result: MLIRAttribute | None,
    parameters: MLIRAttribute | None,
    count: int,
    types: Types,
) -> AttributeList:
    """Those of a function or a call: its own, those of its result, and of its parameters. Raises Lost."""
    if not function and result is None and parameters is None:
        return EMPTY
    of_result = attributes_of_all(result, 1, types)
    return AttributeList(function, of_result[0] if of_result else NONE, attributes_of_all(parameters, count, types))
