"""The constraints that operations of the LLVM dialect put on types, and the rules by which types follow from others.

The constraints are named as MLIR's messages name them.
"""

from __future__ import annotations

from collections.abc import Callable
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
from fathom.ir.types import I1, FloatType, Type, VectorType
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.constraints import is_signless_integer
from fathom.irdl.kinds import Kind
from fathom.irdl.terms import AllOf, Native

UNSIZED: Final = (LLVMVoidType, LLVMFunctionType, LLVMLabelType, LLVMMetadataType, LLVMTokenType)


def is_float(type: Type) -> bool:
    """Whether LLVM IR has a floating-point type for it."""
    return isinstance(type, LLVMPPCFP128Type) or (isinstance(type, FloatType) and type.name in LLVM_FLOATS)


def is_pointer(type: Type) -> bool:
    return isinstance(type, LLVMPointerType)


def is_vector(type: Type) -> bool:
    """A vector that LLVM IR has: of one dimension, over integers, floats or pointers."""
    if not isinstance(type, VectorType) or len(type.ranked_shape) != 1:
        return False
    element = type.element
    return is_signless_integer(element) or is_float(element) or is_pointer(element) or is_foreign_pointer(element)


def is_outer_compatible(type: Type) -> bool:
    """Whether the dialect can use a type, its parts aside."""
    scalar = isinstance(type, LLVMType) or is_signless_integer(type) or is_float(type)
    return scalar or is_vector(type) or is_foreign_pointer(type)


def is_aggregate(type: Type) -> bool:
    return isinstance(type, (LLVMStructType, LLVMArrayType))


def has_size(type: Type) -> bool:
    """Whether values of the type can lie in memory."""
    if isinstance(type, LLVMStructType) and type.opaque:
        return False
    if isinstance(type, LLVMTargetExtType) and not lies_in_memory(type):
        return False
    return is_outer_compatible(type) and not isinstance(type, UNSIZED)


def _or_vector(name: str, accepts: Callable[[Type], bool]) -> TypeConstraint:
    def accepts_either(type: Type) -> bool:
        return accepts(type) or (is_vector(type) and isinstance(type, VectorType) and accepts(type.element))

    return TypeConstraint(f"{name} or LLVM dialect-compatible vector of {name}", accepts_either)


def _vector(summary: str, accepts: Callable[[Type], bool]) -> TypeConstraint:
    """A constraint that only vectors satisfy, which says so to the parser too."""
    return TypeConstraint(
        summary, AllOf((Kind("vector"), Native(summary, lambda t: isinstance(t, Type) and accepts(t))))
    )


def _with(accepts: Callable[[Type], bool]) -> Callable[[Type], bool]:
    """The test of a vector by that of its elements."""
    return lambda t: isinstance(t, VectorType) and accepts(t.element)


def _integer_or_pointer(type: Type) -> bool:
    return INTEGER_LIKE.accepts(type) or POINTER_LIKE.accepts(type)


LLVM_TYPE: Final = TypeConstraint("LLVM dialect-compatible type", is_outer_compatible)
POINTER: Final = TypeConstraint("LLVM pointer type", is_pointer)
STRUCT: Final = TypeConstraint("LLVM structure type", lambda t: isinstance(t, LLVMStructType))
INTEGER_LIKE: Final = _or_vector("signless integer", is_signless_integer)
POINTER_LIKE: Final = _or_vector("LLVM pointer type", is_pointer)


def same(types: list[Type]) -> list[Type] | None:
    """A rule for a result that has the type of the operand."""
    return list(types)


def vector_element(types: list[Type]) -> list[Type] | None:
    """The element types of the vectors among them, None if there are none."""
    return [t.element for t in types if isinstance(t, VectorType)] or None


BY_NAME: Final = {
    "LLVM_AnyAggregate": TypeConstraint("LLVM aggregate type", is_aggregate),
    "LLVM_AnyNonAggregate": TypeConstraint(
        "LLVM-compatible non-aggregate type", lambda t: is_outer_compatible(t) and not is_aggregate(t)
    ),
    "LLVM_AnyPointer": POINTER,
    "LLVM_AnyStruct": STRUCT,
    "LLVM_AnyVector": _vector("LLVM dialect-compatible vector type", is_vector),
    "LLVM_AtomicCmpXchgType": TypeConstraint(
        "signless integer or LLVM pointer type", lambda t: is_signless_integer(t) or is_pointer(t)
    ),
    "LLVM_AtomicRMWType": TypeConstraint(
        "floating point LLVM type or LLVM pointer type or signless integer "
        "or LLVM dialect-compatible fixed-length vector type",
        lambda t: (
            is_float(t)
            or is_pointer(t)
            or is_signless_integer(t)
            or (is_vector(t) and isinstance(t, VectorType) and not any(t.scalable))
        ),
    ),
    "LLVM_BooleanLike": _or_vector("1-bit signless integer", lambda t: t == I1),
    "LLVM_FloatLike": _or_vector("floating point LLVM type", is_float),
    "LLVM_IntegerLike": INTEGER_LIKE,
    "LLVM_IntegerOrPointerLike": TypeConstraint(
        f"{INTEGER_LIKE.summary} or {POINTER_LIKE.summary}", _integer_or_pointer
    ),
    "LLVM_LoadableType": TypeConstraint("LLVM type with size", has_size),
    "LLVM_PointerLike": POINTER_LIKE,
    "LLVM_PrimitiveType": TypeConstraint(
        "primitive LLVM type",
        lambda t: is_outer_compatible(t) and not isinstance(t, (LLVMVoidType, LLVMFunctionType)),
    ),
    "LLVM_TokenType": TypeConstraint("LLVM token type", lambda t: isinstance(t, LLVMTokenType)),
    "LLVM_Type": LLVM_TYPE,
    "LLVM_VectorOfBoolean": _vector(
        "LLVM dialect-compatible vector of 1-bit signless integer", _with(lambda t: t == I1)
    ),
    "LLVM_VectorOfFloat": _vector("LLVM dialect-compatible vector of floating-point", _with(is_float)),
    "LLVM_VectorOfInteger": _vector("LLVM dialect-compatible vector of signless integer", _with(is_signless_integer)),
    "LLVM_VectorOfPointer": _vector("LLVM dialect-compatible vector of LLVM pointer type", _with(is_pointer)),
}
"""The constraints by the names that descriptions have for them."""
