"""How the types of the spirv dialect are read.

Source of the rules: *'spirv' Dialect*, "Types"; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import (
    ArrayType,
    CooperativeMatrixType,
    Decoration,
    ImageType,
    MatrixType,
    Member,
    PointerType,
    RuntimeArrayType,
    SampledImageType,
    SPIRVType,
    StructType,
    TensorArmType,
    cases,
    inside,
)
from fathom.ir.attributes import UNIT
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, Type, UnknownType, VectorType
from fathom.irdl.keywords import comma_separated, enclosed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.irdl.readers import BodyReader, TypeReader


def read_case(reader: BodyReader, enumeration: str, refused: str) -> str:
    """A keyword of an enumeration; what is `refused` has a place for another one."""
    reader.suggest(cases(enumeration))
    return known_case(reader, reader.keyword(), enumeration, refused)


def known_case(reader: BodyReader, word: str, enumeration: str, refused: str) -> str:
    """The word that was read last, which must be a case."""
    if word not in cases(enumeration):
        reader.fail_before(refused.format(word))
    return word


_NO_ATTRIBUTE: Final = "unknown attribute: '{}'"


def _component(reader: BodyReader) -> Type:
    """A type that others may be made of."""
    type = reader.type()
    match type:
        case IntegerType(width) if width not in (1, 8, 16, 32, 64):
            reader.fail_before(f"only 1/8/16/32/64-bit integer type allowed but found '{type}'")
        case VectorType():
            shape = type.shape or ()
            if len(shape) != 1:
                reader.fail_before(f"only 1-D vector allowed but found '{type}'")
            if shape[0] > 4:
                reader.fail_before(f"vector length has to be less than or equal to 4 but found {shape[0]}")
        case SPIRVType() | CooperativeMatrixType() | TensorArmType() | FloatType() | IntegerType() | UnknownType():
            pass
        case _:
            reader.fail_before(f"cannot use '{type}' to compose SPIR-V types")
    return type


def _read_stride(reader: BodyReader) -> int:
    if not reader.accept(","):
        return 0
    reader.expect("stride")
    reader.expect("=")
    stride = reader.integer()
    if stride == 0:
        reader.fail_before("ArrayStride must be greater than zero")
    return stride


def _static(reader: BodyReader) -> list[int]:
    extents = reader.dimensions()
    if DYNAMIC in extents:
        reader.fail_before("expected static shape")
    return extents


def _read_array(reader: BodyReader) -> Type:
    extents = _static(reader)
    if len(extents) != 1:
        reader.fail_here("expected single integer for array element count")
    if extents[0] == 0:
        reader.fail_here("expected array length greater than 0")
    element = _component(reader)
    stride = _read_stride(reader)
    return ArrayType(extents[0], element, stride)


def _read_runtime_array(reader: BodyReader) -> Type:
    element = _component(reader)
    stride = _read_stride(reader)
    return RuntimeArrayType(element, stride)


def _read_pointer(reader: BodyReader) -> Type:
    pointee = _component(reader)
    reader.expect(",")
    return PointerType(pointee, read_case(reader, "StorageClass", "unknown storage class: {}"))


def _read_matrix(reader: BodyReader) -> Type:
    extents = _static(reader)
    if len(extents) != 1:
        reader.fail_here("expected single unsigned integer for number of columns")
    if not 2 <= extents[0] <= 4:
        reader.fail_here("matrix is expected to have 2, 3, or 4 columns")
    column = reader.type()
    if not isinstance(column, VectorType):
        reader.fail_before(f"matrix must be composed using vector type, got '{column}'")
    shape = column.shape or ()
    if len(shape) != 1:
        reader.fail_before(f"only 1-D vector allowed but found '{column}'")
    if not 2 <= shape[0] <= 4:
        between = "less than or equal to 4 and greater than or equal 2"
        reader.fail_before(f"matrix columns size has to be {between}, but found {shape[0]}")
    if not isinstance(column.element, FloatType):
        reader.fail_before(f"matrix columns' elements must be of Float type, got '{column.element}'")
    return MatrixType(extents[0], column)


_IMAGE: Final = (
    "Dim",
    "ImageDepthInfo",
    "ImageArrayedInfo",
    "ImageSamplingInfo",
    "ImageSamplerUseInfo",
    "ImageFormat",
)


def _read_image(reader: BodyReader) -> Type:
    element = _component(reader)
    words: list[str] = []
    for enumeration in _IMAGE:
        reader.expect(",")
        words.append(read_case(reader, enumeration, _NO_ATTRIBUTE))
    return ImageType(element, tuple(words))


def _read_sampled_image(reader: BodyReader) -> Type:
    image = reader.type()
    if not isinstance(image, ImageType):
        reader.fail_before(f"sampled image must be composed using image type, got '{image}'")
    if image.words[0] in ("SubpassData", "Buffer"):
        reader.fail_before(f"sampled image Dim must not be SubpassData or Buffer, got {image.words[0]}")
    return SampledImageType(image)


def _read_cooperative(reader: BodyReader) -> Type:
    shape = _static(reader)
    if len(shape) != 2:
        reader.fail_here("expected row and column count")
    element = _component(reader)
    words: list[str] = []
    for enumeration, noun in (("Scope", "scope"), ("CooperativeMatrixUseKHR", "use")):
        reader.expect(",")
        words.append(read_case(reader, enumeration, f"invalid {noun} <id> attribute specification: {{}}"))
    return CooperativeMatrixType(tuple(shape), element, *words)


def _read_tensor(reader: BodyReader) -> Type:
    shape: tuple[int, ...] | None = None
    if not reader.accept("*x"):
        shape = tuple(reader.dimensions())
        if not shape:
            reader.fail_here("arm.tensors do not support rank zero")
        if 0 in shape:
            reader.fail_here("arm.tensors do not support zero dimensions")
        if DYNAMIC in shape and set(shape) != {DYNAMIC}:
            reader.fail_here("arm.tensor shape dimensions must be either fully dynamic or completed shaped")
    element = _component(reader)
    return TensorArmType(shape, element)


def _read_decoration(reader: BodyReader) -> Decoration:
    name = read_case(reader, "Decoration", _NO_ATTRIBUTE)
    return name, reader.attribute() if reader.accept("=") else UNIT


def _read_member(reader: BodyReader) -> Member:
    type = reader.type()
    if not reader.accept("["):
        return Member(type)
    offset = reader.optional_integer()
    if reader.accept("]"):
        return Member(type, offset)
    if offset is not None:
        reader.expect(",")
    decorations = comma_separated(reader, partial(_read_decoration, reader))
    reader.expect("]")
    return Member(type, offset, tuple(decorations))


def _defines(type: Type, name: str) -> bool:
    """Whether the body of a struct of this name stands in a type."""
    return any(
        isinstance(type_, StructType) and type_.name == name and type_.members is not None for type_ in inside(type)
    )


def _read_struct(reader: BodyReader) -> Type:
    name = reader.optional_keyword() or ""
    if name:
        if reader.at(">"):
            return StructType(name, None)
        reader.expect(",")
    reader.expect("(")
    members: list[Member] = []
    if not reader.accept(")"):
        while not members or reader.accept(","):
            members.append(_read_member(reader))
            given = sum(member.offset is not None for member in members)
            if members[-1].offset is not None and given != len(members):
                reader.fail_before("offset specification must be given for all members")
        if members[0].offset is not None and any(member.offset is None for member in members):
            reader.fail("offset specification must be given for all members")
        reader.expect(")")
    if name and any(_defines(member.type, name) for member in members):
        reader.fail("identifier already used for an enclosing struct")
    decorations: list[Decoration] = []
    while reader.accept(","):
        decorations.append(_read_decoration(reader))
    # Decorations are kept by their numbers.
    numbers = cases("Decoration")
    ordered = sorted(decorations, key=lambda decoration: numbers[decoration[0]])
    return StructType(name, tuple(members), tuple(ordered))


_BODIES: Final[Mapping[str, TypeReader]] = {
    "arm.tensor": _read_tensor,
    "array": _read_array,
    "coopmatrix": _read_cooperative,
    "image": _read_image,
    "matrix": _read_matrix,
    "ptr": _read_pointer,
    "rtarray": _read_runtime_array,
    "sampled_image": _read_sampled_image,
    "struct": _read_struct,
}
TYPES: Final[Mapping[str, TypeReader]] = {name: enclosed(read) for name, read in _BODIES.items()}


def unknown_type(mnemonic: str) -> str:
    """What MLIR says of a type that the dialect does not have."""
    return f"unknown SPIR-V type: {mnemonic}"
