"""Operations on images, and the operands of images in their formats: `["Lod|Offset"]`.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.relations import underlying_image
from fathom.dialects.spirv.types import ImageType, cases, count_of
from fathom.dialects.spirv.words import attribute_of, number, parse_string, spelling
from fathom.ir.types import FloatType, Type, VectorType
from fathom.irdl.definition import CustomDirective
from fathom.irdl.verifying import Checks, Complaint, verifies, without_name
from fathom.ops import spirv as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

# ---- custom<ImageOperands>


def _parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    if not parser.accept("["):
        return
    bits = parse_string(parser, parsed.name, "ImageOperands", "image_operands")
    parsed.attributes[arguments[0]] = attribute_of("ImageOperands", bits)
    parser.expect("]")


def _print(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if arguments[0] in op.properties:
        p.write(f'["{spelling(op, arguments[0], "ImageOperands")}"]')


DIRECTIVES: Final = {"ImageOperands": CustomDirective(_parse, _print, lambda parser: parser.at("["))}

# ---- the operands that follow


_IMPLICIT: Final = frozenset(("spirv.ImageSampleImplicitLod", "spirv.ImageSampleProjDrefImplicitLod"))
_EXPLICIT: Final = frozenset(("spirv.ImageSampleExplicitLod",))
_PLAIN_DIMENSIONS: Final = ("Dim1D", "Dim2D", "Dim3D", "Cube")


def _operands(op: Operation) -> Complaint:
    """Of what follows the coordinate: what the image operands say that it is, in their order."""
    given, words = number(op, "image_operands"), cases("ImageOperands")
    types = [value.type for value in op.all_of("operand_arguments")]
    image = underlying_image(op)
    if given is None:
        if types:
            return "the Image Operands should encode what operands follow, as per Image Operands"
        return None
    if image is None:
        return None
    both = words["Lod"] | words["Grad"]
    if given & both == both:
        return "it is invalid to set both the Lod and Grad bits"
    for word in _SCALARS:
        if given & words[word]:
            if wrong := _scalar(op, image, types, word):
                return wrong
            types = types[1:]
    if given & words["Grad"]:
        if wrong := _gradient(op, image, types):
            return wrong
        types = types[2:]
    if types:
        return "too many image operand arguments have been provided"
    return None


_SCALARS: Final = {
    "Bias": (_IMPLICIT, "implicit-lod instructions", ""),
    # MLIR 22 does not say of spirv.ImageFetch that it is such an instruction.
    "Lod": (_EXPLICIT, "explicit-lod and fetch instructions", "for sampling operations, "),
}
"""What is a number: which operations may have it, how messages call these, and when it is one."""


def _scalar(op: Operation, image: ImageType, types: list[Type], word: str) -> Complaint:
    names, noun, when = _SCALARS[word]
    if op.name not in names:
        return f"{word} is only valid with {noun}"
    if not types:
        return f"{word} operand requires 1 argument"
    if not isinstance(types[0], FloatType):
        return f"{when}{word} must be a floating-point type scalar"
    only = f"{word} must only be used with an image type that has a"
    if image.dim not in _PLAIN_DIMENSIONS:
        return f"{only} dim operand of 1D, 2D, 3D, or Cube"
    return None if image.sampling == "SingleSampled" else f"{only} MS operand of 0"


def _gradient(op: Operation, image: ImageType, types: list[Type]) -> Complaint:
    if op.name not in _EXPLICIT:
        return "Grad is only valid with explicit-lod instructions"
    if len(types) < 2:
        return "Grad operand requires 2 arguments (scalars or vectors)"
    if image.sampling != "SingleSampled":
        return "Grad must only be used with an image type that has a MS operand of 0"
    coordinate = op.one_of("coordinate").type
    count = 1
    if isinstance(coordinate, VectorType):
        count = (count_of(coordinate) or 0) - image.is_arrayed
    counts = (
        "number of components of each Grad argument must equal the number of components in coordinate, minus the array "
        "layer component, if present"
    )
    first, second = types[:2]
    if isinstance(first, VectorType) and isinstance(second, VectorType):
        if not count_of(first) == count_of(second) == count:
            return counts
        if not isinstance(first.element, FloatType) or not isinstance(second.element, FloatType):
            return "Grad arguments must be a vector of floating-point type"
    elif isinstance(first, FloatType) and isinstance(second, FloatType):
        if count != 1:
            return counts
    else:
        return "Grad arguments must be a scalar or vector of floating-point type"
    return None


# ---- spirv.ImageQuerySize


_COMPONENTS: Final = {"Dim1D": 1, "Buffer": 1, "Dim2D": 2, "Cube": 2, "Rect": 2, "Dim3D": 3}


@verifies("spirv.ImageQuerySize", bare=True)
def _size(op: ops.ImageQuerySizeOp) -> Complaint:
    image = underlying_image(op)
    if image is None:
        return None
    if image.dim not in _COMPONENTS:
        return "the Dim operand of the image type must be 1D, 2D, 3D, Buffer, Cube, or Rect"
    is_sampled = image.sampling != "MultiSampled" and image.sampler == "NeedSampler"
    if image.dim in _PLAIN_DIMENSIONS and is_sampled:
        return "if Dim is 1D, 2D, 3D, or Cube, it must also have either an MS of 1 or a Sampled of 0 or 2"
    expected = _COMPONENTS[image.dim] + image.is_arrayed
    count = count_of(op.result.type) or 1
    if count != expected:
        return f"expected the result to have {expected} component(s), but found {count} component(s)"
    return None


_SAMPLED: Final = (
    "Fetch",
    "DrefGather",
    "Read",
    "SampleExplicitLod",
    "SampleImplicitLod",
    "SampleProjDrefImplicitLod",
    "Write",
)

VERIFY: Final[Checks] = {
    **{f"spirv.Image{name}": without_name(_operands) for name in _SAMPLED},
}
