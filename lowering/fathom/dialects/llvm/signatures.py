"""What a function takes and gives back, in one form for functions of every dialect; and which are LLVM's own."""

from __future__ import annotations

from fathom.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType
from fathom.irdl.interfaces import FunctionLike
from fathom.ops import llvm as ops


def signature_of(function: Operation) -> FunctionType | None:
    """The signature of a function; of an `llvm.func` in the types of LLVM. None for what has no such type, and where
    the function takes a variable number of arguments."""
    interface = function.interface(FunctionLike)
    type = interface.type(function) if interface is not None else None
    if isinstance(type, FunctionType):
        return type
    if not isinstance(type, LLVMFunctionType) or type.varargs:
        return None
    return FunctionType(type.params, () if isinstance(type.result, LLVMVoidType) else (type.result,))


def is_debug_intrinsic(op: Operation) -> bool:
    """Whether an operation says nothing but where values of the source are."""
    return isinstance(op, (ops.IntrDbgDeclareOp, ops.IntrDbgValueOp, ops.IntrDbgLabelOp))
