"""What each type becomes in the LLVM dialect, and the signatures that the calling conventions give functions.

Source of the rules: *LLVM IR Target*, "Type Conversion" and "Calling Conventions"; the rest was seen in mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Final

from fathom.budget import MOST_NESTED
from fathom.dialects.llvm.data_layout import parse_data_layout
from fathom.dialects.llvm.types import (
    LLVM_FLOATS,
    PTR,
    VOID,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMType,
    is_compatible,
    struct_of,
    structs_in,
)
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import (
    DYNAMIC,
    POISON,
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    Type,
    VectorType,
    signless,
)
from fathom.passes.to_llvm.named_structs import named_structs
from fathom.records import record
from fathom.rewriting.pattern import Failure
from fathom.rewriting.type_converter import SignatureConversion, TypeConverter

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


@record
class LoweringOptions:
    """The choices that the conversions to the LLVM dialect share; the names are those of mlir-opt's options."""

    index_bitwidth: int = 64
    use_bare_ptr_memref_call_conv: bool = False
    use_aligned_alloc: bool = False
    use_generic_functions: bool = False
    data_layout: str = ""
    """LLVM's text, which says how wide pointers are."""


DEFAULT_OPTIONS: Final = LoweringOptions()

NOT_STRIDED: Final = (
    "conversion to strided form failed either due to non-strided layout maps (which should have been normalized away) "
    "or other reasons"
)

CONVERTED: Final = "_Converted."
"""What stands before the name of an identified struct whose fields had to be converted."""


def rename(type: Type, old: str, new: str) -> Type:
    """Mentions of the enclosing struct `old` inside `type` become mentions of `new`."""
    match type:
        case _ if old not in structs_in(type):
            return type
        case LLVMStructType(None, _, mentioned, False) if mentioned == old:
            return LLVMStructType(None, name=new)
        case LLVMStructType(tuple() as body, packed, own):
            return LLVMStructType(tuple(rename(field, old, new) for field in body), packed, own)
        case LLVMArrayType(size, element):
            return LLVMArrayType(size, rename(element, old, new))
        case _:
            return type


class LLVMTypes(TypeConverter):
    """Types of the builtin dialect to those of the LLVM dialect. What has no counterpart (a tensor) does not
    convert.

    `root` is what is converted; the identified structs around it keep their names. A dialect that is lowered too may
    add what its types become (`conversions`: None where one says nothing of a type, a Failure where there is no other
    rule) and which numbers its memory spaces have (`spaces`). `complaints` are what
    MLIR says of types that it cannot convert, at no place.
    """

    def __init__(self, options: LoweringOptions = DEFAULT_OPTIONS, root: Operation | None = None) -> None:
        super().__init__()
        self.options = options
        self.index: Final = signless(options.index_bitwidth)
        self.data_layout: Final = parse_data_layout(options.data_layout)
        self.conversions: Final[list[Callable[[Type], Type | Sequence[Type] | Failure | None]]] = []
        self.spaces: Final[list[Callable[[Attribute], int | None]]] = []
        self.complaints: Final[list[str]] = []
        self._root = root
        self._named: dict[str, LLVMStructType] | None = None

    def convert_uncached(self, type: Type) -> Type | Sequence[Type] | None:
        for conversion in self.conversions:
            converted = conversion(type)
            if converted is not None:
                return None if isinstance(converted, Failure) else converted
        match type:
            case IndexType():
                return self.index
            case IntegerType(width, signedness):
                return type if signedness == "" else signless(width)
            case FloatType(name):
                return type if name in LLVM_FLOATS else self._small_float(type)
            case ComplexType(element):
                inner = self.convert(element)
                return None if inner is None else struct_of(inner, inner)
            case FunctionType():
                return PTR
            case VectorType():
                return self._vector(type)
            case MemRefType():
                return self._memref(type)
            case LLVMType():
                return self._llvm(type)
            case _ if type == POISON:
                return type  # Where it comes from is left behind; that is no fault of those who use it.
            case _:
                return None

    def _small_float(self, type: FloatType) -> Type | None:
        """LLVM has no floats of 8 bits and less; they are carried as integers. `tf32` is neither of LLVM nor small."""
        return IntegerType(type.width) if type.width <= 8 else None

    def _vector(self, type: VectorType) -> Type | None:
        """`vector<2x3xf32>` becomes `!llvm.array<2 x vector<3xf32>>`, `vector<f32>` becomes `vector<1xf32>`."""
        element = self.convert(type.element)
        if element is None:
            return None
        shape, scalable = type.ranked_shape, type.scalable
        if not shape:
            return VectorType((1,), element)
        if any(scalable[:-1]) or len(shape) > MOST_NESTED:
            return None
        result: Type = VectorType(shape[-1:], element, scalable[-1:] if any(scalable) else ())
        for size in reversed(shape[:-1]):
            result = LLVMArrayType(size, result)
        return result

    def _memref(self, type: MemRefType) -> Type | None:
        if type.shape is None:
            return struct_of(*self.unranked_fields()) if self.convert(type.element) is not None else None
        fields = self.descriptor_fields(type)
        return None if fields is None else struct_of(*fields)

    def _llvm(self, type: LLVMType) -> Type | None:
        if is_compatible(type):
            return type
        match type:
            case LLVMStructType(body, packed, name) if body is not None:
                fields = self.convert_all(body)
                if fields is None or name is None:
                    return None if fields is None else LLVMStructType(tuple(fields), packed)
                new = CONVERTED + name
                struct = LLVMStructType(tuple(rename(field, name, new) for field in fields), packed, new)
                return struct if self._structs().setdefault(new, struct) == struct else None
            case LLVMArrayType(size, element):
                inner = self.convert(element)
                return None if inner is None else LLVMArrayType(size, inner)
            case LLVMFunctionType(result, params, varargs):
                inputs, output = self.convert_all(params), self.convert(result)
                return None if inputs is None or output is None else LLVMFunctionType(output, tuple(inputs), varargs)
            case _:
                return None

    def _structs(self) -> dict[str, LLVMStructType]:
        """The identified structs in what is converted, and those that this made, by name."""
        if self._named is None:
            top = self._root
            while top is not None and top.parent_op is not None:
                top = top.parent_op
            self._named = named_structs(top) if top is not None else {}
        return self._named

    # Memrefs.

    def address_space(self, space: Attribute | None) -> int | None:
        """The number of a memory space, or None if the space is not a number without a sign."""
        if space is None:
            return 0
        for number in self.spaces:
            known = number(space)
            if known is not None:
                return known
        if not isinstance(space, IntegerAttr) or (isinstance(space.type, IntegerType) and space.type.signedness):
            return None
        return space.value % 2**32

    def pointer(self, type: MemRefType) -> LLVMPointerType | None:
        """The pointer to an element of a memref."""
        space = self.address_space(type.space)
        return None if space is None else LLVMPointerType(space) if space else PTR

    def descriptor_fields(self, type: MemRefType, *, flat: bool = False) -> list[Type] | None:
        """Allocated pointer, aligned pointer, offset, sizes, strides; `flat` without the arrays, one field each."""
        if strides_and_offset(type) is None:
            self.complaints.append(NOT_STRIDED)
            return None
        if self.convert(type.element) is None:
            return None
        pointer = self.pointer(type)
        if pointer is None:
            self.complaints.append(
                f"conversion of memref memory space {type.space} to integer address space failed. "
                "Consider adding memory space conversions."
            )
            return None
        rank = len(type.ranked_shape)
        fields: list[Type] = [pointer, pointer, self.index]
        if rank and flat:
            fields += [self.index] * (2 * rank)
        elif rank:
            fields += [LLVMArrayType(rank, self.index)] * 2
        return fields

    def unranked_fields(self) -> list[Type]:
        """Rank and the pointer to a descriptor in memory, which stands on the stack: it has no address space of its
        own. The element type does not matter."""
        return [self.index, PTR]

    def can_be_bare_pointer(self, type: Type) -> bool:
        """Whether a pointer alone can stand for a memref: all sizes, strides and the offset must be known."""
        if not isinstance(type, MemRefType) or not type.has_static_shape:
            return False
        layout = strides_and_offset(type)
        return layout is not None and DYNAMIC not in layout[0] and layout[1] != DYNAMIC

    def bare_pointer(self, type: MemRefType) -> LLVMPointerType | None:
        """The pointer that stands for a memref by the bare convention, if one can."""
        fits = self.can_be_bare_pointer(type) and self.convert(type.element) is not None
        return self.pointer(type) if fits else None

    # Functions.

    def convert_argument(self, type: Type, *, bare: bool | None = None) -> list[Type] | None:
        """The parameters that stand for one: a memref comes as the fields of its descriptor, or as a bare pointer."""
        bare = self.options.use_bare_ptr_memref_call_conv if bare is None else bare
        if isinstance(type, MemRefType):
            if bare:
                pointer = self.bare_pointer(type)
                return None if pointer is None else [pointer]
            return self.unranked_fields() if type.shape is None else self.descriptor_fields(type, flat=True)
        converted = self.convert_many(type)
        return None if converted is None else list(converted)

    def convert_result(self, type: Type, *, bare: bool | None = None) -> Type | None:
        """The type of one result: a memref is returned as a descriptor, or as a bare pointer."""
        bare = self.options.use_bare_ptr_memref_call_conv if bare is None else bare
        if isinstance(type, MemRefType) and bare:
            return self.bare_pointer(type)
        return self.convert(type)

    def pack_results(self, types: Sequence[Type], *, bare: bool | None = None) -> Type | None:
        """No result is void, one is itself, more are the fields of a struct."""
        converted = [self.convert_result(type, bare=bare) for type in types]
        results = [type for type in converted if type is not None]
        if len(results) != len(types):
            return None
        return VOID if not results else results[0] if len(results) == 1 else struct_of(*results)

    def convert_function_type(
        self,
        type: FunctionType,
        *,
        varargs: bool = False,
        bare: bool | None = None,
        by_pointer: Container[int] = (),
    ) -> tuple[LLVMFunctionType, SignatureConversion] | None:
        """The function's type in the LLVM dialect, and what its entry block's arguments become. Those with the numbers
        `by_pointer` come as pointers to what they would have become."""
        signature = SignatureConversion()
        for index, input in enumerate(type.inputs):
            params = self.convert_argument(input, bare=bare)
            if params is None:
                return None
            if len(params) == 1 and index in by_pointer and not isinstance(params[0], LLVMPointerType):
                params = [PTR]
            signature.add(params)
        result = self.pack_results(type.results, bare=bare)
        return None if result is None else (LLVMFunctionType(result, tuple(signature.types), varargs), signature)
