"""The types that MLIR 22 has no more, and what stands in their place."""

from __future__ import annotations

from fathom.dialects.llvm.former_types import LLVMVectorType, TypedPointerType
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.element_printer import Element
from fathom.ir.types import Type, VectorType


def pointee_of(type: Type) -> Type | None:
    """What a pointer, or a pointer of a vector, points to; None where it does not say."""
    pointer = element_of(type)
    return pointer.pointee if isinstance(pointer, TypedPointerType) else None


def element_of(type: Type) -> Type:
    """The element type of a vector; any other type is its own element."""
    return type.element if isinstance(type, (VectorType, LLVMVectorType)) else type


def opaque(element: Element) -> Element:
    """`!llvm.ptr<f32, 3>` as `!llvm.ptr<3>`, `!llvm.vec<4 x ptr>` as `vector<4x!llvm.ptr>`."""
    match element:
        case TypedPointerType(space):
            return LLVMPointerType(space)
        case LLVMVectorType(size, inner, scalable):
            return VectorType((size,), inner, (True,) if scalable else ())
        case _:
            return element
