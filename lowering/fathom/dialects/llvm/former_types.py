"""The types that the LLVM dialect had in former releases of MLIR, and their readers.

Up to MLIR 16 a pointer may say what it points to; up to 19, vectors of pointers have a type of the dialect.
Source of the rules: *'llvm' Dialect*, "Type System", of MLIR 13 to 19.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from fathom.dialects.llvm.type_syntax import READERS, Around, Read, read_pretty, simple
from fathom.dialects.llvm.types import (
    PTR,
    Enclosing,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMTokenType,
    LLVMType,
    LLVMVoidType,
    spell_nested,
)
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, Speller, Type
from fathom.irdl.keywords import enclosed
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.readers import BodyReader


@record
class TypedPointerType(LLVMPointerType):
    """`!llvm.ptr<f32>`, or `!llvm.ptr<f32, 3>` in another address space than 0."""

    pointee: Type = LLVMVoidType()

    @property
    def wrapped(self) -> Type:
        return self.pointee

    def wrapping(self, type: Type) -> LLVMType:
        return TypedPointerType(self.address_space, type)

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        space = f", {self.address_space}" if self.address_space else ""
        return f"ptr<{spell_nested(self.pointee, of, around)}{space}>"


@record
class LLVMVectorType(LLVMType):
    """`!llvm.vec<4 x ptr<i8>>`, or `!llvm.vec<? x 4 x i32>` of as many elements for each unit of the hardware."""

    FULL_NAME: ClassVar[str] = "llvm.vec"

    size: int
    element: Type
    scalable: bool = False

    @property
    def wrapped(self) -> Type:
        return self.element

    def wrapping(self, type: Type) -> LLVMType:
        return LLVMVectorType(self.size, type, self.scalable)

    def spell_bare(self, of: Speller, around: Enclosing) -> str:
        return f"vec<{'? x ' * self.scalable}{self.size} x {spell_nested(self.element, of, around)}>"


@record
class LLVMX86MMXType(LLVMType):
    """`!llvm.x86_mmx`."""

    FULL_NAME: ClassVar[str] = "llvm.x86_mmx"


_NOTHING_TO_POINT_TO: Final = (LLVMVoidType, LLVMTokenType, LLVMMetadataType, LLVMLabelType)


def _read_pointer(reader: BodyReader, around: Around) -> LLVMType:
    """`ptr`, `ptr<3>`, `ptr<f32>` or `ptr<f32, 3>`."""
    return _read_filled_pointer(reader, around) if reader.at("<") else PTR


@enclosed
def _read_filled_pointer(reader: BodyReader, around: Around) -> LLVMType:
    space = reader.optional_integer()
    if space is not None:
        return LLVMPointerType(space % 2**32)
    pointee = read_pretty(reader, around)
    if isinstance(pointee, _NOTHING_TO_POINT_TO):
        reader.fail(f"invalid pointer element type: '{pointee}'")
    return TypedPointerType(reader.integer() % 2**32 if reader.accept(",") else 0, pointee)


@enclosed
def _read_vector(reader: BodyReader, around: Around) -> LLVMType:
    sizes = reader.dimensions()
    scalable = len(sizes) == 2 and sizes[0] == DYNAMIC
    if not (scalable or len(sizes) == 1) or sizes[-1] <= 0:
        reader.fail("expected '? x <integer> x <type>' or '<integer> x <type>'")
    element = read_pretty(reader, around)
    if not scalable and isinstance(element, (IntegerType, FloatType)):
        reader.fail("cannot use !llvm.vec for built-in primitives, use 'vector' instead")
    return LLVMVectorType(sizes[-1], element, scalable)


VECTOR_READERS: Final[Mapping[str, Read]] = {**READERS, "vec": _read_vector, "x86_mmx": simple(LLVMX86MMXType())}
"""Those of MLIR 19, by mnemonic."""
FORMER_READERS: Final[Mapping[str, Read]] = {**VECTOR_READERS, "ptr": _read_pointer}
"""Those of MLIR 14 to 16."""
