"""The types of LLVM IR, as values: two are equal that are written alike, but for structs with a name.

Source of the rules: *LLVM Language Reference*, "Type System".
"""

from __future__ import annotations

from typing import Final

from fathom.records import Shared, record


class Type(Shared):
    """Any type of LLVM IR."""

    __slots__ = ()


@record
class PrimitiveType(Type):
    """A type that is one word."""

    name: str


VOID: Final = PrimitiveType("void")
HALF: Final = PrimitiveType("half")
BFLOAT: Final = PrimitiveType("bfloat")
FLOAT: Final = PrimitiveType("float")
DOUBLE: Final = PrimitiveType("double")
X86_FP80: Final = PrimitiveType("x86_fp80")
FP128: Final = PrimitiveType("fp128")
PPC_FP128: Final = PrimitiveType("ppc_fp128")
LABEL: Final = PrimitiveType("label")
METADATA: Final = PrimitiveType("metadata")
X86_AMX: Final = PrimitiveType("x86_amx")
TOKEN: Final = PrimitiveType("token")

PRIMITIVES: Final = {
    type_.name: type_
    for type_ in (
        *(VOID, HALF, BFLOAT, FLOAT, DOUBLE, X86_FP80, FP128, PPC_FP128),
        *(LABEL, METADATA, X86_AMX, TOKEN),
    )
}
"""The primitive types by their words."""

FLOAT_BITS: Final[dict[Type, int]] = {
    HALF: 16,
    BFLOAT: 16,
    FLOAT: 32,
    DOUBLE: 64,
    X86_FP80: 80,
    FP128: 128,
    PPC_FP128: 128,
}
"""How many bits a float has."""


@record
class IntegerType(Type):
    """`iN`."""

    bits: int


@record
class PointerType(Type):
    """`ptr`, in an address space."""

    address_space: int = 0


@record
class FunctionType(Type):
    """`result (parameters)`, or `result (parameters, ...)`."""

    result: Type
    parameters: tuple[Type, ...] = ()
    is_vararg: bool = False


@record
class ArrayType(Type):
    """`[count x element]`."""

    element: Type
    count: int


@record
class VectorType(Type):
    """`<count x element>`, or `<vscale x count x element>`."""

    element: Type
    count: int
    is_scalable: bool = False


@record
class StructType(Type):
    """A literal struct, which is its elements."""

    elements: tuple[Type, ...]
    is_packed: bool = False


@record(frozen=False, eq=False)
class IdentifiedStructType(Type):
    """A struct that is itself, not its elements: it has a name, or a number when it is written. Its body may name it,
    and is None as long as it is opaque."""

    name: str = ""
    body: StructType | None = None


@record
class TargetExtType(Type):
    """`target("name", types, numbers)`."""

    name: str
    types: tuple[Type, ...] = ()
    numbers: tuple[int, ...] = ()


I1: Final = IntegerType(1)
I8: Final = IntegerType(8)
I32: Final = IntegerType(32)
I64: Final = IntegerType(64)
PTR: Final = PointerType()


def scalar(of: Type) -> Type:
    """The type itself, or that of a vector's elements."""
    return of.element if isinstance(of, VectorType) else of


def subtypes(of: Type) -> tuple[Type, ...]:
    """The types that a type is made of, in LLVM's order."""
    match of:
        case FunctionType(result, parameters):
            return (result, *parameters)
        case ArrayType(element) | VectorType(element):
            return (element,)
        case StructType(elements):
            return elements
        case IdentifiedStructType(_, body):
            return body.elements if body is not None else ()
        case TargetExtType(_, types):
            return types
        case _:
            return ()
