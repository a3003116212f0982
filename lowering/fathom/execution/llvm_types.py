"""Types of the LLVM dialect, told by their names: a program without any is run without that dialect being loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
    from fathom.ir.types import Type


def is_pointer(type: Type) -> TypeGuard[LLVMPointerType]:
    """Whether a type is `!llvm.ptr`, in any address space."""
    return type.full_name == "llvm.ptr"


def is_array(type: Type) -> TypeGuard[LLVMArrayType]:
    """Whether a type is `!llvm.array`."""
    return type.full_name == "llvm.array"


def is_struct(type: Type) -> TypeGuard[LLVMStructType]:
    """Whether a type is `!llvm.struct`."""
    return type.full_name == "llvm.struct"


def is_llvm(type: Type) -> bool:
    """Whether a type is of the LLVM dialect."""
    return type.full_name.startswith("llvm.")
