"""The types of the gpu dialect, which only C++ reads and writes.

Source of the rules: *'gpu' Dialect*, "Types"; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from fathom.ir.attributes import IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import F16, F32, F64, I32, IntegerType, MemRefType, Speller, Type
from fathom.irdl.cases import word_of
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.type_constraints import exactly
from fathom.records import record
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.irdl.readers import BodyReader, TypeReader


@record
class NamedType(Type):
    """A type without parameters: `!gpu.async.token`, `!gpu.sparse.spmat_handle`."""

    name: str

    @property
    def full_name(self) -> str:
        return f"gpu.{self.name}"

    def spell(self, of: Speller) -> str:
        return f"!gpu.{self.name}"


@record
class MMAMatrixType(Type):
    """`!gpu.mma_matrix<16x16xf32, "COp">`: a part of a matrix that the threads of a warp hold together."""

    FULL_NAME: ClassVar[str] = "gpu.mma_matrix"

    shape: tuple[int, int]
    element: Type
    operand: str

    def spell(self, of: Speller) -> str:
        return f"!gpu.mma_matrix<{self.shape[0]}x{self.shape[1]}x{of(self.element)}, {quote(self.operand)}>"


ASYNC_TOKEN: Final = NamedType("async.token")
_NAMES: Final = (
    "async.token",
    "sparse.dntensor_handle",
    "sparse.spmat_handle",
    "sparse.spgemmop_handle",
)
_FLOATS: Final = (F16, F32, F64)
_INT8: Final = (IntegerType(8, "s"), IntegerType(8, "u"))
_ELEMENTS: Final = (*_FLOATS, I32, *_INT8)


def _named(name: str) -> TypeReader:
    return lambda _: NamedType(name)


def _read_matrix(reader: BodyReader) -> Type:
    reader.expect("<")
    shape = reader.dimensions()
    if any(extent < 0 for extent in shape):
        reader.fail("expected static shape")
    element = reader.type()
    reader.expect(",")
    operand = reader.optional_string() or ""
    reader.expect(">")
    if operand not in ("AOp", "BOp", "COp"):
        reader.fail("operand expected to be one of AOp, BOp or COp")
    if len(shape) != 2:
        reader.fail("MMAMatrixType must have exactly two dimensions")
    if element not in _ELEMENTS:
        reader.fail("MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64")
    return MMAMatrixType((shape[0], shape[1]), element, operand)


TYPES: Final[Mapping[str, TypeReader]] = {**{name: _named(name) for name in _NAMES}, "mma_matrix": _read_matrix}


def unknown_type(mnemonic: str) -> str:
    """What MLIR says of a type that the dialect does not have."""
    return f"unknown gpu type: {mnemonic}"


def _matrix_of(summary: str, *elements: Type) -> TypeConstraint:
    return TypeConstraint(summary, lambda type: isinstance(type, MMAMatrixType) and type.element in elements)


_OF: Final = "gpu.mma_matrix of 8-bit signed integer or 8-bit unsigned integer"
CONSTRAINTS: Final = {
    "GPU_AsyncToken": exactly(ASYNC_TOKEN, "async token type"),
    "GPU_SparseDnTensorHandle": exactly(NamedType("sparse.dntensor_handle"), "dense tensor handle type"),
    "GPU_SparseSpMatHandle": exactly(NamedType("sparse.spmat_handle"), "sparse matrix handle type"),
    "GPU_SparseSpGEMMOpHandle": exactly(NamedType("sparse.spgemmop_handle"), "SpGEMM operation handle type"),
    "GPU_MMAMatrix": TypeConstraint("MMAMatrix type", lambda type: isinstance(type, MMAMatrixType)),
    "MMAMatrixOf_1": _matrix_of(f"{_OF} or 16-bit float or 32-bit float or 64-bit float values", *_INT8, *_FLOATS),
    "MMAMatrixOf_2": _matrix_of(
        "gpu.mma_matrix of 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values",
        I32,
        *_FLOATS,
    ),
    "MMAMatrixOf_3": _matrix_of(
        f"{_OF} or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values",
        *_INT8,
        I32,
        *_FLOATS,
    ),
}
"""The constraints on the types that are defined here, by their names in the description."""


# ---- memory spaces


def lies_in(type: Type, numbers: tuple[int, ...], dialect: str, name: str) -> bool:
    """Whether memory is in a space that a number or an attribute of a dialect names."""
    space = type.space if isinstance(type, MemRefType) else None
    if isinstance(space, IntegerAttr):
        return space.value in numbers
    named = isinstance(space, DialectAttr) and space.full_name == f"{dialect}.address_space"
    return word_of(space) == name if named else space is None and 0 in numbers


def is_global(type: Type) -> bool:
    return lies_in(type, (0, 1), "gpu", "global")


def is_workgroup(type: Type) -> bool:
    return lies_in(type, (3,), "gpu", "workgroup")
