"""Types of the LLVM dialect as types of LLVM IR.

Source of the rules: *'llvm' Dialect*, "Types"; *LLVM Language Reference*, "Type System".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMPPCFP128Type,
    LLVMStructType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMVoidType,
    LLVMX86AMXType,
)
from fathom.ir.dialect_values import DialectType
from fathom.ir.floats import LLVM_NAMES
from fathom.ir.types import FloatType, IntegerType, Type, VectorType
from fathom.llvmir import types as ir
from fathom.rewriting.llvm_exports import LLVM_TYPES

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions

_LLVM_FLOATS: Final = {kind.name: kind for kind in (ir.HALF, ir.BFLOAT, ir.FLOAT, ir.DOUBLE, ir.X86_FP80, ir.FP128)}
FLOATS: Final = {name: _LLVM_FLOATS[theirs] for name, theirs in LLVM_NAMES.items()}
"""The floats that LLVM has, by MLIR's names."""
_SIMPLE: Final[dict[type[Type], ir.Type]] = {
    LLVMVoidType: ir.VOID,
    LLVMLabelType: ir.LABEL,
    LLVMTokenType: ir.TOKEN,
    LLVMMetadataType: ir.METADATA,
    LLVMX86AMXType: ir.X86_AMX,
    LLVMPPCFP128Type: ir.PPC_FP128,
}


Foreign: TypeAlias = Callable[[Type], "Type | None"]
"""Which type of the LLVM dialect stands for one of another dialect, if any."""


class NoLLVMType(Exception):
    """A type that LLVM IR does not have."""

    def __init__(self, type: Type) -> None:
        super().__init__(f"type '{type}' has no equivalent in LLVM IR")


def llvm_type(context: Definitions, type: Type) -> Type | None:
    """The type of the LLVM dialect that stands for one of another dialect, by what that says."""
    if not isinstance(type, DialectType):
        return None
    becomes = context.aspect(LLVM_TYPES, type.dialect).get(type.full_name)
    return becomes(type) if becomes is not None else None


class Types:
    """The types of a module's LLVM IR; structs with a name are made once."""

    def __init__(self, foreign: Foreign = lambda _: None) -> None:
        self._foreign = foreign
        self._known: dict[Type, ir.Type] = {}
        self._met: dict[int, tuple[Type, ir.Type]] = {}
        """The same by identity, for to hash a type takes long. It keeps the types, so that none of these passes on."""
        self._structs: dict[str, ir.IdentifiedStructType] = {}

    def __call__(self, type: Type) -> ir.Type:
        """Raises NoLLVMType."""
        met = self._met.get(id(type))
        if met is not None:
            return met[1]
        known = self._known.get(type)
        if known is None:
            known = self._known[type] = self._make(type)
        self._met[id(type)] = type, known
        return known

    def function(self, type: LLVMFunctionType) -> ir.FunctionType:
        """That of a function."""
        made = self(type)
        assert isinstance(made, ir.FunctionType)
        return made

    def _make(self, type: Type) -> ir.Type:
        match type:
            case IntegerType(width):
                return ir.I1 if width == 1 else ir.IntegerType(width)
            case FloatType(name):
                return FLOATS.get(name) or self(IntegerType(type.width))
            case LLVMPointerType(space):
                return ir.PointerType(space) if space else ir.PTR
            case VectorType():
                (count,) = type.ranked_shape
                return ir.VectorType(self(type.element), count, any(type.scalable))
            case LLVMArrayType(size, element):
                return ir.ArrayType(self(element), size)
            case LLVMStructType(name=None):
                return ir.StructType(tuple(map(self, type.body or ())), type.packed)
            case LLVMStructType():
                return self._struct(type)
            case LLVMFunctionType(result, params, varargs):
                return ir.FunctionType(self(result), tuple(map(self, params)), varargs)
            case LLVMTargetExtType(name, types, integers):
                return ir.TargetExtType(name, tuple(map(self, types)), tuple(integers))
            case _ if type.__class__ in _SIMPLE:
                return _SIMPLE[type.__class__]
            case _:
                stands_for = self._foreign(type)
                if stands_for is None:
                    raise NoLLVMType(type)
                return self(stands_for)

    def _struct(self, type: LLVMStructType) -> ir.IdentifiedStructType:
        """A struct with a name; inside of it only the name is said."""
        name = type.name or ""
        struct = self._structs.get(name)
        if struct is None:
            struct = self._structs[name] = ir.IdentifiedStructType(name)
        if struct.body is None and type.body is not None:
            self._known[type] = struct
            struct.body = ir.StructType(tuple(map(self, type.body)), type.packed)
        return struct
