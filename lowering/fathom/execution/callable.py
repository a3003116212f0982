"""Whether a function can be called from outside at all, by its type, and as what its values are
passed. It costs nothing, whatever the type stands for."""

from __future__ import annotations

from fathom.execution.outcome import UnsupportedSignature
from fathom.execution.scalars import element_size, integer_width, llvm_float
from fathom.ir.types import ComplexType, FunctionType, MemRefType, TensorType, Type, VectorType


def in_memory(type: Type) -> Type:
    """The type as which a value is passed: a tensor comes and goes in memory, with its elements one behind the other,
    as `lower-to-llvm` has it."""
    return MemRefType(type.shape, type.element) if isinstance(type, TensorType) else type


def uncallable(signature: FunctionType) -> str | None:
    """Why a function of a type cannot be called; None if it can."""
    types = (*signature.inputs, *signature.results)
    return next((why for type in types if (why := _unfit(type)) is not None), None)


def _unfit(type: Type) -> str | None:
    match type:
        case MemRefType() | TensorType():
            try:
                element_size(type.element)
            except UnsupportedSignature as problem:
                return str(problem)
            return None
        case VectorType() if any(type.scalable):
            return f"the length of '{type}' is not known before it runs"
        case ComplexType() | VectorType():
            return _unfit(type.element)
        case _ if integer_width(type) is not None or llvm_float(type) is not None:
            return None
        case _:
            return f"'{type}' cannot be passed to, or returned from, a program"
