"""The types of the LLVM dialect that stand for those of all other dialects, and how a value passes between the two.

    index                    -> i64 (or the width that a pass is told)
    si32, f8E5M2             -> i32, i8                (LLVM has no signs and no small floats)
    complex<f32>             -> !llvm.struct<(f32, f32)>
    vector<2x4xf32>          -> !llvm.array<2 x vector<4xf32>>
    memref<4x?xf32, 1>       -> !llvm.struct<(ptr<1>, ptr<1>, i64, array<2 x i64>, array<2 x i64>)>
    memref<*xf32>            -> !llvm.struct<(i64, ptr)>                  (rank, pointer to a ranked descriptor)
    (i32) -> f32             -> !llvm.ptr
    tensor, tuple, none, tf32, unknown types: no conversion

Source of the rules: *LLVM IR Target*, "Conversion to the LLVM Dialect", "Default Memref Model", "Calling Conventions".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fathom.conversion import descriptors
from fathom.dialects.llvm.types import (
    LLVM_FLOATS,
    PTR,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMType,
    is_compatible,
    struct_of,
)
from fathom.ir.attributes import IntegerAttr
from fathom.ir.layout import strides_and_offset
from fathom.ir.types import (
    DYNAMIC,
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    TensorType,
    TupleType,
    Type,
    VectorType,
)
from fathom.rewriting.type_converter import TypeConverter

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

CONVERTED: Final = "_Converted."
"""What stands before the name of an identified struct whose fields had to be converted."""


@dataclass(frozen=True, slots=True)
class LoweringOptions:
    """`index_bitwidth` in bits; `bare_pointers` passes a static memref as one pointer instead of its descriptor's fields."""

    index_bitwidth: int = 64
    bare_pointers: bool = False


class LLVMTypeConverter(TypeConverter):
    """Converts types as the table above says. Equal options give equal types, so one converter serves a whole pass."""

    def __init__(self, options: LoweringOptions | None = None) -> None:
        super().__init__()
        self.options = options or LoweringOptions()
        self.index: Final = IntegerType(self.options.index_bitwidth)
        self.unranked_fields: Final[tuple[Type, ...]] = (self.index, PTR)
        self.unranked: Final = struct_of(*self.unranked_fields)

    def convert_uncached(self, type: Type) -> Type | None:
        match type:
            case IntegerType(width):
                return IntegerType(width)
            case IndexType():
                return self.index
            case FloatType(name):
                return convert_float(type) if name != "tf32" else None
            case ComplexType(element):
                part = self.convert(element)
                return struct_of(part, part) if part is not None else None
            case VectorType():
                return self._convert_vector(type)
            case FunctionType():
                return PTR
            case MemRefType(shape):
                return self.unranked if shape is None else self.descriptor(type)
            case LLVMType():
                return self._convert_llvm(type, ())
            case _:
                return None

    def _convert_vector(self, type: VectorType) -> Type | None:
        element = self.convert(type.element)
        shape = type.ranked_shape
        flags = type.scalable or (False,) * len(shape)
        if element is None or any(flags[:-1]):
            return None
        converted: Type = VectorType(shape[-1:] or (1,), element, flags[-1:] if any(flags) else ())
        for extent in reversed(shape[:-1]):
            converted = LLVMArrayType(extent, converted)
        return converted

    def _convert_llvm(self, type: Type, enclosing: tuple[str, ...]) -> Type | None:
        """A type of the dialect with its parts converted; `enclosing` names the identified structs around it."""
        if is_compatible(type):
            return type
        match type:
            case LLVMArrayType(size, element):
                inner = self._convert_llvm(element, enclosing)
                return LLVMArrayType(size, inner) if inner is not None else None
            case LLVMFunctionType(result, params, varargs):
                converted = [self._convert_llvm(t, enclosing) for t in (result, *params)]
                parts = tuple(t for t in converted if t is not None)
                return LLVMFunctionType(parts[0], parts[1:], varargs) if len(parts) == len(converted) else None
            case LLVMStructType(body, packed, name) if body is not None:
                inside = (*enclosing, name) if name is not None else enclosing
                fields = tuple(t for t in (self._convert_llvm(field, inside) for field in body) if t is not None)
                if len(fields) != len(body):
                    return None
                if name is None:
                    return LLVMStructType(fields, packed)
                return LLVMStructType(tuple(rename(f, name) for f in fields), packed, CONVERTED + name)
            case LLVMType():
                return type
            case _:
                return self.convert(type)

    # Memrefs.

    def descriptor(self, type: MemRefType) -> LLVMStructType | None:
        """The struct that describes a ranked memref."""
        fields = self.descriptor_fields(type)
        if fields is None:
            return None
        rank = len(type.ranked_shape)
        array = LLVMArrayType(rank, self.index)
        return struct_of(*fields[:3], *((array, array) if rank else ()))

    def descriptor_fields(self, type: MemRefType) -> tuple[Type, ...] | None:
        """The types of all the numbers in a ranked memref's descriptor, in the order in which they are passed."""
        space = address_space(type)
        if space is None or self.convert(type.element) is None or strides_and_offset(type) is None:
            return None
        pointer = LLVMPointerType(space)
        return (pointer, pointer, self.index, *(self.index,) * (2 * len(type.ranked_shape)))

    def pointer_to(self, type: MemRefType) -> LLVMPointerType:
        """A pointer to the data of a memref that can be converted."""
        return LLVMPointerType(address_space(type) or 0)

    # Passing values between the two worlds.

    def materialize_source(self, rewriter: Rewriter, type: Type, inputs: Sequence[Value]) -> Value | None:
        """A memref is packed from the arguments that it was passed as; all else is cast."""
        packed = self._pack(rewriter, type, inputs)
        return super().materialize_source(rewriter, type, inputs if packed is None else [packed])

    def materialize_target(
        self, rewriter: Rewriter, types: Sequence[Type], inputs: Sequence[Value], original: Type | None
    ) -> Sequence[Value] | None:
        packed = self._pack(rewriter, original, inputs) if len(types) == 1 else None
        return [packed] if packed is not None else super().materialize_target(rewriter, types, inputs, original)

    def _pack(self, rewriter: Rewriter, type: Type | None, inputs: Sequence[Value]) -> Value | None:
        """The descriptor of a memref that was passed as `inputs`: the fields of its descriptor, or a bare pointer."""
        if not isinstance(type, MemRefType):
            return None
        passed = tuple(value.type for value in inputs)
        if type.shape is None:
            return descriptors.pack_unranked(rewriter, self, inputs) if passed == self.unranked_fields else None
        if len(passed) == 1 and isinstance(passed[0], LLVMPointerType):
            return descriptors.from_static_shape(rewriter, self, type, inputs[0])
        if passed == self.descriptor_fields(type):
            return descriptors.pack(rewriter, self, type, inputs)
        return None


def convert_float(type: FloatType) -> Type:
    """LLVM's floats are themselves; the small ones are integers of their width."""
    return type if type.name in LLVM_FLOATS else IntegerType(type.width)


def rename(type: Type, name: str) -> Type:
    """Replaces mentions of the enclosing struct `name` by mentions of its converted twin."""
    match type:
        case LLVMStructType(None, _, mentioned, False) if mentioned == name:
            return LLVMStructType(None, name=CONVERTED + name)
        case LLVMStructType(tuple() as body, packed, own):
            return LLVMStructType(tuple(rename(field, name) for field in body), packed, own)
        case LLVMArrayType(size, element):
            return LLVMArrayType(size, rename(element, name))
        case _:
            return type


def address_space(type: MemRefType) -> int | None:
    """The LLVM address space of a memref's memory space, or None where the space is not a number."""
    if type.space is None:
        return 0
    return type.space.value % 2**32 if isinstance(type.space, IntegerAttr) else None


def allows_bare_pointer(type: MemRefType) -> bool:
    """Whether a pointer alone says all: the shape, the strides and the offset are static."""
    layout = strides_and_offset(type) if type.shape is not None else None
    if layout is None:
        return False
    strides, offset = layout
    return type.has_static_shape and DYNAMIC not in strides and offset != DYNAMIC


def why_not(type: Type, types: TypeConverter) -> str | None:
    """The cause for which `type` has no LLVM type, for people, or None if it has one."""
    if types.convert_many(type) is not None:
        return None
    match type:
        case TensorType():
            return "a tensor has no memory; bufferize it to a memref first (--one-shot-bufferize)"
        case TupleType() | NoneType():
            return f"LLVM has no value of type '{type}'"
        case FloatType(name):
            return f"LLVM IR has no type for '{name}'"
        case VectorType(shape) if any((type.scalable or (False,))[:-1]):
            return f"only the last dimension of '{type}' may be scalable, so that the {len(shape or ())} dimensions become arrays"
        case MemRefType() if type.shape is not None and address_space(type) is None:
            return f"the memory space {type.space} is not a number; map memory spaces to numbers first"
        case MemRefType() if type.shape is not None and strides_and_offset(type) is None:
            return f"the layout {type.layout} has no strides; normalise it first (--normalize-memrefs)"
        case VectorType() | MemRefType() | ComplexType():
            return f"its element type '{type.element}' has no LLVM type" + _because(why_not(type.element, types))
        case _:
            return f"no rule converts '{type}' to the LLVM dialect"


def _because(reason: str | None) -> str:
    return f": {reason}" if reason is not None else ""
