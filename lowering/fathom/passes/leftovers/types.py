"""Types that keep an operation from becoming LLVM dialect: which, where, and why."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fathom.diagnostics import LAYOUT, LOWERING, NOT_BUFFERIZED, SIGNATURE, SILENT_LEFTOVER
from fathom.dialects.llvm.types import LLVM_FLOATS
from fathom.ir.property_values import type_property
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import FloatType, FunctionType, MemRefType, TensorType, Type, element_type
from fathom.passes.to_llvm.describe import why_not, why_not_passed
from fathom.passes.to_llvm.llvm_types import DEFAULT_OPTIONS, LLVMTypes
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


@cache
def default_types() -> LLVMTypes:
    """The types of LLVM for those of MLIR, by default."""
    return LLVMTypes(DEFAULT_OPTIONS)


@record
class Obstacle:
    """A type that LLVM does not have. `reason` says where it is and why; `code` is the kind of finding."""

    type: Type
    reason: str
    code: str


def obstacle(op: Operation, types: LLVMTypes) -> Obstacle | None:
    """The first operand or result, or type of a function's signature, that LLVM does not have."""
    signature = type_property(op, "function_type")
    if isinstance(signature, FunctionType):
        for kind, group in (("argument", signature.inputs), ("result", signature.results)):
            for index, type in enumerate(group):
                reason = why_not_passed(type, types)
                if reason is not None:
                    return Obstacle(type, f"{kind} #{index}: {reason}", LAYOUT if _is_askew(type) else SIGNATURE)
    for kind, values in (("operand", op.operands), ("result", op.results)):
        for index, value in enumerate(values):
            reason = _unusable(value, types) if op.dialect in ("arith", "math") else why_not(value.type, types)
            if reason is not None:
                return Obstacle(value.type, f"{kind} #{index}: {reason}", _code(op, value.type))
    return None


def _code(op: Operation, type: Type) -> str:
    if _is_askew(type):
        return LAYOUT
    if op.dialect == "func":
        return SIGNATURE
    if isinstance(type, TensorType):
        return NOT_BUFFERIZED
    return SILENT_LEFTOVER if op.definition is not None else LOWERING


def _is_askew(type: Type) -> bool:
    """Whether a type is a memref whose layout has no strides."""
    return isinstance(type, MemRefType) and type.shape is not None and strides_and_offset(type) is None


def _unusable(value: Value, types: LLVMTypes) -> str | None:
    element = element_type(value.type)
    if isinstance(element, FloatType) and element.name not in LLVM_FLOATS:
        return f"LLVM carries '{element}' as an integer and cannot compute with it; extend it to f32 first"
    return why_not(value.type, types)
