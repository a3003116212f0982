"""The constraints of the LLVM dialect by the names that the definitions of other dialects have for them: those that C++
decides, or that ask for types and attributes of this dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.described import attribute_named, type_named
from fathom.dialects.llvm.types import LLVMPointerType, LLVMStructType
from fathom.ir.types import Type
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.keywords import bracketed
from fathom.irdl.parametric import CustomBody, Parametric
from fathom.irdl.type_constraints import exactly
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.dialect_values import DialectType, Parameter
    from fathom.ir.types import Speller
    from fathom.irdl.readers import ParameterReader


def _pointer(made: DialectType) -> Type:
    (space,) = made.parameters
    return LLVMPointerType(space if isinstance(space, int) else 0)


def _read_members(reader: ParameterReader) -> list[Parameter]:
    """`(i32, i32)`."""
    return [tuple(bracketed(reader, "()", reader.type))]


def _structure(made: DialectType) -> Type:
    (members,) = made.parameters
    listed = members if isinstance(members, tuple) else ()
    return LLVMStructType(tuple(parameter for parameter in listed if isinstance(parameter, Type)))


def _nothing(values: Sequence[Parameter], of: Speller) -> str:
    """Types of a class of their own spell themselves."""
    del values, of
    return ""


def _definition(name: str, class_name: str, body: CustomBody, finish: Callable[[DialectType], Type]) -> Parametric:
    """The definition of a type that has a class of its own, for where it stands without its name."""
    return replace(body.complete(Parametric("llvm", name, class_name, True, opaque=True)), finish=finish)


_POINTER: Final = _definition(
    "ptr", "LLVMPointerType", CustomBody(("space",), lambda reader: [reader.integer()], _nothing), _pointer
)
_STRUCT: Final = _definition("struct", "LLVMStructType", CustomBody(("members",), _read_members, _nothing), _structure)


def _in_space(space: int) -> TypeConstraint:
    return replace(exactly(LLVMPointerType(space), f"LLVM pointer in address space {space}"), definition=_POINTER)


def _struct(summary: str) -> TypeConstraint:
    return TypeConstraint(summary, lambda type: isinstance(type, LLVMStructType), definition=_STRUCT)


TYPES: Final = {
    "LLVM_Type": type_named("LLVM_Type"),
    "LLVM_AnyPointer": replace(type_named("LLVM_AnyPointer"), definition=_POINTER),
    "LLVMPointerType": replace(type_named("LLVM_AnyPointer"), definition=_POINTER),
    "LLVMStructType": _struct("LLVM struct type"),
    "LLVM_AnyStruct": type_named("LLVM_AnyStruct"),
    "LLVM_PointerGeneric": _in_space(0),
    "LLVM_PointerGlobal": _in_space(1),
    "LLVM_PointerShared": _in_space(3),
    "LLVM_PointerConst": _in_space(4),
    "LLVM_PointerLocal": _in_space(5),
    "LLVM_PointerTensor": _in_space(6),
    "LLVM_PointerSharedCluster": _in_space(7),
    **{f"LLVM pointer in address space {space}": _in_space(space) for space in range(9)},
}
ATTRIBUTES: Final = {
    name: attribute_named(name) for name in ("ConstantRangeAttr", "LLVM_AliasScopeArrayAttr", "LLVM_TBAATagArrayAttr")
}
