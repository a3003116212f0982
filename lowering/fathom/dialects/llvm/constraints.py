"""The constraints that operations of the LLVM dialect put on types, and the rules by which types follow from others.

The constraints are named as MLIR's messages name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.llvm.types import (
    LLVM_FLOATS,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMType,
    LLVMVoidType,
    is_foreign_pointer,
    lies_in_memory,
)
from fathom.ir.types import FloatType, Type, VectorType
from fathom.irdl.constraints import is_signless_integer
from fathom.irdl.terms import Test

UNSIZED: Final = (LLVMVoidType, LLVMFunctionType, LLVMLabelType, LLVMMetadataType, LLVMTokenType)


def is_float(type: object) -> bool:
    """Whether LLVM IR has a floating-point type for it."""
    return isinstance(type, LLVMPPCFP128Type) or (isinstance(type, FloatType) and type.name in LLVM_FLOATS)


def is_pointer(type: object) -> bool:
    return isinstance(type, LLVMPointerType)


def is_vector(type: object) -> bool:
    """A vector that LLVM IR has: of one dimension, over integers, floats or pointers."""
    if not isinstance(type, VectorType) or len(type.ranked_shape) != 1:
        return False
    element = type.element
    return is_signless_integer(element) or is_float(element) or is_pointer(element) or is_foreign_pointer(element)


def is_outer_compatible(type: object) -> bool:
    """Whether the dialect can use a type, its parts aside."""
    if not isinstance(type, Type):
        return False
    scalar = isinstance(type, LLVMType) or is_signless_integer(type) or is_float(type)
    return scalar or is_vector(type) or is_foreign_pointer(type)


def is_aggregate(type: object) -> bool:
    return isinstance(type, (LLVMStructType, LLVMArrayType))


def has_size(type: object) -> bool:
    """Whether values of the type can lie in memory."""
    if isinstance(type, LLVMStructType) and type.opaque:
        return False
    if isinstance(type, LLVMTargetExtType) and not lies_in_memory(type):
        return False
    return is_outer_compatible(type) and not isinstance(type, UNSIZED)


def same(types: list[Type]) -> list[Type] | None:
    """A rule for a result that has the type of the operand."""
    return list(types)


def vector_element(types: list[Type]) -> list[Type] | None:
    """The element types of the vectors among them, None if there are none."""
    return [t.element for t in types if isinstance(t, VectorType)] or None


PREDICATES: Final[Mapping[str, Test]] = {
    "LLVM_AnyAggregate": is_aggregate,
    "LLVM_AnyFloat": is_float,
    "LLVM_AnyPointer": is_pointer,
    "LLVM_AnyStruct": lambda t: isinstance(t, LLVMStructType),
    "LLVM_CompatibleVector": is_vector,
    "LLVM_LoadableType": has_size,
    "LLVM_PrimitiveType": lambda t: is_outer_compatible(t) and not isinstance(t, (LLVMVoidType, LLVMFunctionType)),
    "LLVM_TokenType": lambda t: isinstance(t, LLVMTokenType),
    "LLVM_Type": is_outer_compatible,
}
"""What decides the constraints of the description that no term says, by their names."""
