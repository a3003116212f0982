"""Whether a function can be called from outside at all, by its type, and as what its values are
passed. It costs nothing, whatever the type stands for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from fathom.execution.layouts import element_size, integer_width, llvm_float
from fathom.execution.llvm_types import is_array, is_llvm, is_pointer, is_struct
from fathom.execution.outcome import UnsupportedSignature
from fathom.ir.types import ComplexType, FunctionType, IndexType, IntegerType, MemRefType, TensorType, Type, VectorType

_PASSED: Final = (
    "a run passes integers, index, floats, complex numbers, pointers, vectors, memrefs and tensors of these, and "
    "structs and arrays of LLVM"
)


def in_memory(type: Type) -> Type:
    """The type as which a value is passed: a tensor comes and goes in memory, with its elements one behind the other,
    as `lower-to-llvm` has it."""
    return MemRefType(type.shape, type.element) if isinstance(type, TensorType) else type


def takes_words(name: str, types: Sequence[Type]) -> bool:
    """Whether a function of these arguments is called as C calls `main`: with `argc`, `argv` and perhaps `envp`."""
    return (
        name == "main"
        and 2 <= len(types) <= 3
        and isinstance(types[0], (IntegerType, IndexType))
        and all(map(is_pointer, types[1:]))
    )


def uncallable(signature: FunctionType) -> str | None:
    """Why a function of a type cannot be called; None if it can."""
    types = (*signature.inputs, *signature.results)
    return next((why for type in types if (why := unfit(type)) is not None), None)


# A type may be a part of another as often as nobody could count.
@lru_cache(maxsize=4096)
def unfit(type: Type) -> str | None:
    """Why a value of a type can neither be passed to a program nor returned from it; None if it can."""
    if is_llvm(type):
        return _unfit_in_llvm(type)
    match type:
        case MemRefType() | TensorType():
            return _unfit_element(type.element)
        case VectorType() if any(type.scalable):
            return f"the length of '{type}' is not known before it runs"
        case ComplexType() | VectorType():
            return unfit(type.element)
        case FunctionType():
            return _code(type)
        case IntegerType(width=0):
            return f"'{type}' has no values: LLVM has no integers of no bits"
        case _ if integer_width(type) is not None or llvm_float(type) is not None:
            return None
        case _:
            return f"'{type}' cannot be passed to, or returned from, a program: {_PASSED}"


def _unfit_in_llvm(type: Type) -> str | None:
    if is_pointer(type):
        return f"'{type}' points to memory that is not the caller's" if type.address_space else None
    if is_array(type):
        return unfit(type.element)
    if is_struct(type):
        if type.body is None:
            return f"it is not known what is in '{type}'"
        return next((why for field in dict.fromkeys(type.body) if (why := unfit(field)) is not None), None)
    if type.full_name == "llvm.func":
        return _code(type)
    return f"'{type}' is no value that a program takes or gives"


def _code(type: Type) -> str:
    return f"'{type}' is code, which no argument and no result can name: call it in the module"


def _unfit_element(element: Type) -> str | None:
    try:
        element_size(element)
    except UnsupportedSignature as problem:
        return str(problem)
    return None
