"""What the description of the spirv dialect demands and leaves to C++: of types, between types, and of places.

Source of the rules: MLIR 22's definitions, whose messages are the names here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.types import (
    ArrayType,
    CooperativeMatrixType,
    ImageType,
    MatrixType,
    PointerType,
    RuntimeArrayType,
    SampledImageType,
    StructType,
    TensorArmType,
    cases,
)
from fathom.dialects.spirv.words import number
from fathom.ir.traversal import ancestors
from fathom.ir.types import BF16, F16, F32, F64, I1, FloatType, IntegerType, Type, UnknownType, VectorType, element_type
from fathom.irdl.interfaces import FunctionLike, SymbolTable
from fathom.irdl.type_functions import TypeFunction, of_each
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

# ---- types


def _is(kind: type[Type]) -> Callable[[object], bool]:
    return lambda type: isinstance(type, (kind, UnknownType))


def _cooperative(*elements: Type) -> Callable[[object], bool]:
    """Whether a type is a cooperative matrix of such elements."""
    return lambda type: (
        isinstance(type, UnknownType) or (isinstance(type, CooperativeMatrixType) and type.element in elements)
    )


_FLOATS: Final = (F16, F32, F64)
_INTEGERS: Final = tuple(IntegerType(width, sign) for sign in ("", "s", "u") for width in (8, 16, 32, 64))

PREDICATES: Final = {
    "SPIRV_AnyArray": _is(ArrayType),
    "SPIRV_AnyCooperativeMatrix": _is(CooperativeMatrixType),
    "SPIRV_AnyImage": _is(ImageType),
    "SPIRV_AnyMatrix": _is(MatrixType),
    "SPIRV_AnyPtr": _is(PointerType),
    "SPIRV_AnyRTArray": _is(RuntimeArrayType),
    "SPIRV_AnySampledImage": _is(SampledImageType),
    "SPIRV_AnyStruct": _is(StructType),
    "SPIRV_AnyTensorArm": _is(TensorArmType),
    "Cooperative Matrix of 16/32/64-bit float values": _cooperative(*_FLOATS),
    "Cooperative Matrix of 16/32/64-bit float or BFloat16 values": _cooperative(*_FLOATS, BF16),
    "Cooperative Matrix of 8/16/32/64-bit integer values": _cooperative(*_INTEGERS),
}
"""The constraints on types of the dialect, by their names in the description, or what it says of them."""

# ---- types that follow from others


def _boolean(type: Type) -> Type:
    """A bool for a scalar, and as many for a vector."""
    count = type.shape[0] if isinstance(type, VectorType) and type.shape else None
    return I1 if count is None else VectorType((count,), I1)


def _image(type: Type) -> Type | None:
    image = type.image if isinstance(type, SampledImageType) else type
    return image if isinstance(image, ImageType) else None


def _sampled(type: Type) -> Type | None:
    image = _image(type)
    return image.element if isinstance(image, ImageType) else None


TYPE_FUNCTIONS: Final[dict[str, TypeFunction]] = {
    "Parameter.imageType": of_each(_image),
    "Parameter.pointeeType": of_each(lambda type: type.pointee if isinstance(type, PointerType) else None),
}

MATCHES: Final[dict[str, TypeFunction]] = {
    "type of result to correspond to the `i1` equivalent of the operand": of_each(_boolean),
    "type of 'result' matches image type of 'sampled_image'": of_each(_sampled),
}

# ---- where operations stand


def _in_function(op: Operation) -> bool:
    return _stands_in(op, lambda around: around.interface(FunctionLike) is not None)


def _in_graph(op: Operation) -> bool:
    return _stands_in(op, lambda around: isinstance(around, ops.ARMGraphOp))


def _stands_in(op: Operation, is_wanted: Callable[[Operation], bool]) -> bool:
    """Whether a wanted operation stands around one, and no symbol table between; also where that cannot be seen."""
    for around in ancestors(op):
        if around.interface(SymbolTable) is not None or is_wanted(around):
            return around.interface(SymbolTable) is None
    return True


def _in_module(op: Operation) -> bool:
    around = op.parent_op
    return around is None or around.interface(SymbolTable) is not None


# ---- images


def underlying_image(op: Operation) -> ImageType | None:
    """The image that an operation on images is about."""
    image = _image(op.operands[0].type) if op.operands else None
    return image if isinstance(image, ImageType) else None


def _says(index: int, words: Sequence[str], *, denied: bool = False) -> Callable[[Operation], bool]:
    """Whether the image has one of these words at a place, or none of them."""

    def holds(op: Operation) -> bool:
        image = underlying_image(op)
        return image is None or (image.words[index] in words) is not denied

    return holds


_DIM, _SAMPLING, _SAMPLER = 0, 3, 4


def _is_sampled_as(group: str) -> Callable[[Operation], bool]:
    """Whether the components of a value are what the image holds, or the image holds nothing that is known."""

    def holds(op: Operation) -> bool:
        image = underlying_image(op)
        if image is None or not isinstance(image.element, (IntegerType, FloatType, VectorType)):
            return True
        value = op.result if group == "result" else op.one_of(group)
        return element_type(value.type) == image.element

    return holds


def _has_level(op: Operation) -> bool:
    words = cases("ImageOperands")
    return bool((number(op, "image_operands") or 0) & (words["Lod"] | words["Grad"]))


def _in_subgroup(op: Operation) -> bool:
    return number(op, "execution_scope") == cases("Scope")["Subgroup"]


RELATIONS: Final[dict[str, Callable[[Operation], bool]]] = {
    "op must appear in a function-like op's block": _in_function,
    "op must appear in a module-like op's block": _in_module,
    "op must appear in a spirv.ARM.Graph op's block": _in_graph,
    "execution_scope must be Scope of value Subgroup": _in_subgroup,
    "the sampled operand of the underlying image must be SamplerUnknown or NoSampler": _says(
        _SAMPLER, ("SamplerUnknown", "NoSampler")
    ),
    "the sampled operand of the underlying image must be NeedSampler": _says(_SAMPLER, ("NeedSampler",)),
    "the MS operand of the underlying image type must be SingleSampled": _says(_SAMPLING, ("SingleSampled",)),
    "the Dim operand of the underlying image must be Dim2D or Cube or Rect": _says(_DIM, ("Dim2D", "Cube", "Rect")),
    **{
        f"the Dim operand of the underlying image must not be {dim}": _says(_DIM, (dim,), denied=True)
        for dim in ("Buffer", "Cube", "SubpassData")
    },
    **{
        f"the {group} component type must match the image sampled type": _is_sampled_as(group)
        for group in ("result", "texel")
    },
    "either Lod or Grad image operands must be present": _has_level,
}
