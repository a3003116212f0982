"""The identified structs that a module mentions, by name. A name stands for one struct wherever it is used.

Source of the rules: *'llvm' Dialect*, "Structure Types", "Identified Structure Types".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import LLVMArrayType, LLVMFunctionType, LLVMStructType
from fathom.ir.attributes import TypeAttr
from fathom.ir.symbol_references import elements_in
from fathom.ir.types import FunctionType, MemRefType, TensorType, Type, VectorType

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def named_structs(root: Operation) -> dict[str, LLVMStructType]:
    """The structs with a name and a body in the types of values, and in the types that attributes hold."""
    structs: dict[str, LLVMStructType] = {}
    seen: set[Type] = set()
    for type in _types(root):
        for struct in _structs_in(type, seen):
            structs.setdefault(struct.name or "", struct)
    return structs


def _types(root: Operation) -> Iterator[Type]:
    for op in root.walk():
        yield from (result.type for result in op.results)
        for region in op.regions:
            for block in region.blocks:
                yield from (argument.type for argument in block.arguments)
        for attributes in (op.properties, op.attributes):
            for attribute in attributes.values():
                yield from (element.type for element in elements_in(attribute) if isinstance(element, TypeAttr))


def _structs_in(type: Type, seen: set[Type]) -> Iterator[LLVMStructType]:
    """The structs with a name and a body in a type, outermost first, but for those in types that were seen."""
    if type in seen:
        return
    seen.add(type)
    match type:
        case LLVMStructType(tuple() as body):
            if type.name is not None:
                yield type
            parts = body
        case LLVMArrayType() | VectorType() | MemRefType() | TensorType():
            parts = (type.element,)
        case LLVMFunctionType() | FunctionType():
            parts = (*type.inputs, *type.results)
        case _:
            parts = ()
    for part in parts:
        yield from _structs_in(part, seen)
