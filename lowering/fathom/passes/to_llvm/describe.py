"""What a type becomes in the LLVM dialect, and why a type becomes nothing, as plain data for hovers and diagnostics.

    memref<4x?xf32>  ->  !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
        allocated pointer: !llvm.ptr    aligned pointer: !llvm.ptr    offset: i64
        sizes[0]: i64   sizes[1]: i64   strides[0]: i64   strides[1]: i64

Source of the names: *LLVM IR Target*, "Ranked MemRef Types" and "Unranked MemRef Types".
"""

from __future__ import annotations

from functools import lru_cache

from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import (
    DYNAMIC,
    ComplexType,
    FloatType,
    FunctionType,
    MemRefType,
    NoneType,
    TensorType,
    TupleType,
    Type,
    VectorType,
)
from fathom.passes.to_llvm.llvm_types import DEFAULT_OPTIONS, LLVMTypes, LoweringOptions
from fathom.records import record


@record
class Field:
    """A number or pointer with a name.

    `text` is its value where the memref's type fixes it: `sizes[0]` of `memref<4xf32>` is `4`.
    """

    name: str
    type: Type
    text: str | None = None


@record
class Description:
    """`converted` is the LLVM type, or None with the cause in `reason`.

    `fields` are the named parts of a memref's descriptor. `arguments` is what a value of the type becomes in the
    signature of a function: one argument, unless it is a memref. `signature` is the lowered type of a function.
    """

    type: Type
    converted: Type | None
    fields: tuple[Field, ...] = ()
    arguments: tuple[Field, ...] = ()
    signature: LLVMFunctionType | None = None
    reason: str | None = None


@lru_cache(maxsize=8)
def _converter(options: LoweringOptions) -> LLVMTypes:
    return LLVMTypes(options)


def describe(type: Type, options: LoweringOptions = DEFAULT_OPTIONS) -> Description:
    """What `type` becomes. Pure, and total: a type without conversion has a description too."""
    types = _converter(options)
    converted = types.convert(type)
    if isinstance(type, FunctionType):
        lowered = types.convert_function_type(type)
        signature = lowered[0] if lowered is not None else None
        return Description(type, converted, (), _arguments(type, types), signature, _signature_reason(type, types))
    fields = descriptor_fields(type, types) if isinstance(type, MemRefType) and converted is not None else ()
    return Description(type, converted, fields, _arguments(type, types), None, why_not(type, types))


def descriptor_fields(type: MemRefType, types: LLVMTypes) -> tuple[Field, ...]:
    """The fields of a descriptor, each number on its own, in the order in which they are passed."""
    if type.shape is None:
        rank, pointer = types.unranked_fields()
        return Field("rank", rank), Field("pointer to the ranked descriptor", pointer)
    pointer, layout = types.pointer(type), strides_and_offset(type)
    if pointer is None or layout is None:
        return ()
    strides, offset = layout
    return (
        Field("allocated pointer", pointer),
        Field("aligned pointer", pointer),
        Field("offset", types.index, _known(offset)),
        *(Field(f"sizes[{i}]", types.index, _known(size)) for i, size in enumerate(type.shape)),
        *(Field(f"strides[{i}]", types.index, _known(stride)) for i, stride in enumerate(strides)),
    )


def _known(number: int) -> str | None:
    return None if number == DYNAMIC else str(number)


def _arguments(type: Type, types: LLVMTypes) -> tuple[Field, ...]:
    """What a parameter of this type becomes in a signature."""
    passed = types.convert_argument(type)
    if passed is None:
        return ()
    if not isinstance(type, MemRefType):
        return tuple(Field("value", type_) for type_ in passed)
    if type.shape is not None and len(passed) == 1:
        return (Field("pointer to the first element", passed[0]),)
    return descriptor_fields(type, types)


def _signature_reason(type: FunctionType, types: LLVMTypes) -> str | None:
    """Why a function of this type cannot be lowered: the first of its types that has no conversion."""
    reasons = (why_not_passed(input_, types) for input_ in (*type.inputs, *type.results))
    return next((reason for reason in reasons if reason is not None), None)


def why_not_passed(type: Type, types: LLVMTypes) -> str | None:
    """The cause for which a parameter of this type cannot be passed, by the convention that the options ask for."""
    if types.convert_argument(type) is not None:
        return None
    if types.convert(type) is None:
        return why_not(type, types)
    return f"a bare pointer cannot stand for '{type}', whose sizes, strides and offset are not all static"


def why_not(type: Type, types: LLVMTypes) -> str | None:
    """The cause for which `type` has no LLVM type, and what would help, or None if it has one."""
    if types.convert_many(type) is not None:
        return None
    match type:
        case TensorType():
            return f"'{type}' has no memory"
        case TupleType() | NoneType():
            return f"LLVM has no value of type '{type}'"
        case FloatType(name):
            return f"LLVM IR has no type for '{name}'"
        case VectorType() if any(type.scalable[:-1]):
            return f"only the last dimension of '{type}' may be scalable, since the others become arrays"
        case MemRefType() if types.pointer(type) is None:
            return f"the memory space {type.space} is not an integer address space: map it to a number first"
        case MemRefType() if type.shape is not None and strides_and_offset(type) is None:
            return f"the layout of '{type}' has no strides; normalise it first (--normalize-memrefs)"
        case VectorType() | MemRefType() | ComplexType():
            inner = why_not(type.element, types)
            return f"the elements of '{type}' have no LLVM type" + (f": {inner}" if inner is not None else "")
        case _:
            return f"no rule converts '{type}' to the LLVM dialect"
