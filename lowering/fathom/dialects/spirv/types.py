"""The types of the spirv dialect, which have no definition in TableGen, and what they are made of.

Source of the rules: *'spirv' Dialect*, "Types".
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar, Final

from fathom.dialects import own_description
from fathom.ir.attributes import UNIT, Attribute
from fathom.ir.types import (
    DYNAMIC,
    POISON,
    FloatType,
    IntegerType,
    ShapedType,
    Speller,
    Type,
    UnknownType,
    VectorType,
    element_type,
)
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@record
class SPIRVType(Type):
    """What the types of the dialect without a shape have in common."""


@record
class ArrayType(SPIRVType):
    """`!spirv.array<4 x f32, stride=4>`."""

    FULL_NAME: ClassVar[str] = "spirv.array"

    count: int
    element: Type
    stride: int = 0

    def spell(self, of: Speller) -> str:
        return f"!spirv.array<{self.count} x {of(self.element)}{_stride(self.stride)}>"


@record
class RuntimeArrayType(SPIRVType):
    """`!spirv.rtarray<f32, stride=4>`."""

    FULL_NAME: ClassVar[str] = "spirv.rtarray"

    element: Type
    stride: int = 0

    def spell(self, of: Speller) -> str:
        return f"!spirv.rtarray<{of(self.element)}{_stride(self.stride)}>"


@record
class PointerType(SPIRVType):
    """`!spirv.ptr<f32, Function>`."""

    FULL_NAME: ClassVar[str] = "spirv.ptr"

    pointee: Type
    storage: str

    def spell(self, of: Speller) -> str:
        return f"!spirv.ptr<{of(self.pointee)}, {self.storage}>"


@record
class MatrixType(SPIRVType):
    """`!spirv.matrix<3 x vector<3xf32>>`."""

    FULL_NAME: ClassVar[str] = "spirv.matrix"

    count: int
    column: Type

    @property
    def rows(self) -> int:
        return count_of(self.column) or 0

    @property
    def element(self) -> Type:
        return element_type(self.column)

    def spell(self, of: Speller) -> str:
        return f"!spirv.matrix<{self.count} x {of(self.column)}>"


@record
class ImageType(SPIRVType):
    """`!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Unknown>`."""

    FULL_NAME: ClassVar[str] = "spirv.image"

    element: Type
    words: tuple[str, ...]

    @property
    def dim(self) -> str:
        return self.words[0]

    @property
    def is_arrayed(self) -> bool:
        return self.words[2] == "Arrayed"

    @property
    def sampling(self) -> str:
        return self.words[3]

    @property
    def sampler(self) -> str:
        return self.words[4]

    def spell(self, of: Speller) -> str:
        return f"!spirv.image<{', '.join([of(self.element), *self.words])}>"


@record
class SampledImageType(SPIRVType):
    """`!spirv.sampled_image<!spirv.image<…>>`."""

    FULL_NAME: ClassVar[str] = "spirv.sampled_image"

    image: Type

    def spell(self, of: Speller) -> str:
        return f"!spirv.sampled_image<{of(self.image)}>"


@record
class CooperativeMatrixType(ShapedType):
    """`!spirv.coopmatrix<8x16xf32, Subgroup, MatrixA>`."""

    FULL_NAME: ClassVar[str] = "spirv.coopmatrix"

    scope: str
    use: str

    def spell(self, of: Speller) -> str:
        extents = "".join(f"{extent}x" for extent in self.shape or ())
        return f"!spirv.coopmatrix<{extents}{of(self.element)}, {self.scope}, {self.use}>"


@record
class TensorArmType(ShapedType):
    """`!spirv.arm.tensor<4x?xf32>`; the shape of one without rank is None."""

    FULL_NAME: ClassVar[str] = "spirv.arm.tensor"

    def spell(self, of: Speller) -> str:
        extents = "x".join("?" if extent == DYNAMIC else str(extent) for extent in self.shape or ())
        return f"!spirv.arm.tensor<{'*' if self.shape is None else extents}x{of(self.element)}>"


Decoration = tuple[str, Attribute]
"""The name of a decoration and its value, a unit attribute for one without."""


@record
class Member:
    """A member of a struct, with its offset, if it has one, and its decorations."""

    type: Type
    offset: int | None = None
    decorations: tuple[Decoration, ...] = ()

    def spell(self, of: Speller) -> str:
        further = [] if self.offset is None else [str(self.offset)]
        further += [_decoration(decoration, of) for decoration in self.decorations]
        return of(self.type) + (f" [{', '.join(further)}]" if further else "")


@record
class StructType(SPIRVType):
    """`!spirv.struct<name, (f32 [0], i32 [4, NonWritable]), Block>`. `members` is None where an enclosing one is
    named."""

    FULL_NAME: ClassVar[str] = "spirv.struct"

    name: str
    members: tuple[Member, ...] | None
    decorations: tuple[Decoration, ...] = ()

    def spell(self, of: Speller) -> str:
        if self.members is None:
            return f"!spirv.struct<{self.name}>"
        name = f"{self.name}, " if self.name else ""
        further = "".join(f", {_decoration(decoration, of)}" for decoration in self.decorations)
        return f"!spirv.struct<{name}({', '.join(member.spell(of) for member in self.members)}){further}>"


def _stride(stride: int) -> str:
    return f", stride={stride}" if stride else ""


def _decoration(decoration: Decoration, of: Speller) -> str:
    name, value = decoration
    return name if value == UNIT else f"{name}={_without_type(value, of)}"


def _without_type(value: Attribute, of: Speller) -> str:
    """The text of the value of a decoration, whose type goes without saying."""
    return value.spell_inside(of).partition(" : ")[0]


# ---- what types are made of


def is_scalar(type: Type) -> bool:
    """Whether a type is a bool, an integer or a float of a width that SPIR-V has."""
    match type:
        case IntegerType(width):
            return width in (1, 8, 16, 32, 64)
        case FloatType():
            return type.width in (16, 32, 64)
        case _:
            return False


def is_vector(type: Type) -> bool:
    """Whether a type is a vector of SPIR-V."""
    return isinstance(type, VectorType) and type.shape in _VECTORS and is_scalar(type.element)


_VECTORS: Final = tuple((count,) for count in (2, 3, 4, 8, 16))


def is_composite(type: Type) -> bool:
    """Whether a type has parts."""
    return isinstance(type, _COMPOSITES) or is_vector(type)


def part_of(type: Type, index: int = 0) -> Type | None:
    """The type of the part of a composite at an index; None where it has none."""
    match type:
        case ArrayType(_, part) | RuntimeArrayType(part) | MatrixType(_, part):
            return part
        case StructType(_, members):
            return members[index].type if members is not None and 0 <= index < len(members) else None
        case ShapedType():
            return type.element
        case _:
            return None


def count_of(type: Type) -> int | None:
    """How many parts a composite has, where that is known."""
    match type:
        case ArrayType(count) | MatrixType(count):
            return count
        case StructType(_, members):
            return len(members) if members is not None else None
        case VectorType() | TensorArmType():
            return prod(type.ranked_shape) if type.shape is not None and DYNAMIC not in type.shape else None
        case _:
            return None


def part_at(type: Type, indices: Sequence[int]) -> Type | str:
    """The type of the part at some indices, or what is wrong with them; an unknown type for one of an unknown."""
    if not indices:
        return "expected at least one index for spirv.CompositeExtract"
    for index in indices:
        if isinstance(type, UnknownType):
            return type
        if not is_composite(type):
            return f"cannot extract from non-composite type '{type}' with index {index}"
        count = count_of(type)
        if count is not None and not 0 <= index < count:
            return f"index {index} out of bounds for '{type}'"
        type = part_of(type, index) or POISON
    return type


def bits_of(type: Type) -> int | None:
    """How many bits a pointer, a scalar or a vector has; None for what is none of these."""
    match type:
        case PointerType():
            return 64
        case IntegerType(width):
            return width
        case FloatType():
            return type.width
        case VectorType():
            count, of_element = count_of(type), bits_of(type.element)
            return count * of_element if count is not None and of_element is not None else None
        case _:
            return None


def may_be_same(first: Type, second: Type) -> bool:
    """Whether types are the same, as far as is known: one that refers to a struct around it may be any."""
    return first == second or _is_open(first) or _is_open(second)


def _is_open(type: Type) -> bool:
    """Whether something in a type is not known where it stands."""
    return any(
        isinstance(type_, UnknownType) or (isinstance(type_, StructType) and type_.members is None)
        for type_ in inside(type)
    )


def inside(type: Type) -> Iterator[Type]:
    """A type and those that it is made of, each once."""
    met, left = {id(type)}, [type]
    while left:
        current = left.pop()
        yield current
        parts: list[Type] = []
        match current:
            case PointerType(part) | ArrayType(_, part) | RuntimeArrayType(part) | SampledImageType(part):
                parts = [part]
            case StructType(_, members):
                parts = [member.type for member in members or ()]
            case _:
                pass
        left += [part for part in parts if id(part) not in met]
        met.update(map(id, parts))


_COMPOSITES: Final = (ArrayType, RuntimeArrayType, MatrixType, StructType, CooperativeMatrixType, TensorArmType)


def cases(enumeration: str) -> Mapping[str, int]:
    """The keywords of an enumeration of the dialect with their numbers."""
    return own_description("spirv").enumerations[enumeration].cases
