"""`tosa.resize`: each element of the result is the nearest one of the input, or one between the four around its place.

Where an image is of one row or column, it is resized to that, and repeated. Source of the rules: *TOSA specification*,
"resize", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.tosa.values import integers_of
from fathom.ir.affine import AffineDim, AffineMap, identity_map
from fathom.ir.types import DYNAMIC, I32, FloatType, IntegerType
from fathom.irdl.cases import word
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, constant
from fathom.passes.conversions.tosa_to_linalg.sampling import Image, sample
from fathom.passes.structured import generic
from fathom.passes.tensors import collapsed, empty, expanded, ranked, shape_of, tensor_type
from fathom.records import replace
from fathom.rewriting.pattern import NO_MATCH, Failure
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter

HEIGHT: Final = 1
WIDTH: Final = 2


def _open_sizes(rewriter: Rewriter, op: ops.ResizeOp) -> list[Value]:
    """How many images and channels there are, where the type does not say."""
    shape = shape_of(op.input)
    return [dim(rewriter, op.input, place) for place in (0, 3) if shape[place] == DYNAMIC]


def repeated(op: ops.ResizeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Along what is 1 before and more afterwards, the one is repeated."""
    source, type = ranked(op.input.type), ranked(op.result.type)
    if source is None or type is None:
        return Failure("requires ranked input/output types")
    before, after = source.ranked_shape, type.ranked_shape
    kept = [place for place in (HEIGHT, WIDTH) if before[place] != 1]
    if all(before[place] != 1 or after[place] == 1 for place in (HEIGHT, WIDTH)):
        return Failure("tosa.resize has no broadcasting behavior")
    shape = tuple(
        1 if place in (HEIGHT, WIDTH) and before[place] == 1 else size
        for place, size in enumerate((before[0], *after[1:3], before[3]))
    )
    resized = rewriter.create("tosa.resize", op.operands, [replace(type, shape=shape)], op.properties).result
    places = [0, *kept, 3]
    groups = [[0], [HEIGHT]]
    for place, is_apart in ((WIDTH, HEIGHT in kept), (3, WIDTH in kept)):
        # What is not kept belongs to what stands behind it.
        if is_apart:
            groups.append([place])
        else:
            groups[-1].append(place)
    flat = collapsed(rewriter, resized, [shape[place] for place in places], groups).result
    output = empty(rewriter, after, type.element, _open_sizes(rewriter, op))
    maps = [AffineMap(4, 0, tuple(map(AffineDim, places))), identity_map(4)]
    made = generic(rewriter, [flat], [output], maps, "pppp", lambda values: values[:1], [type])
    rewriter.replace(op, made.results)
    return None


def of_one_pixel(op: ops.ResizeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """One pixel stays one; a number of another type is scaled as if it had been computed."""
    source, type = tensor_type(op.input), tensor_type(op.result)
    before, after = source.ranked_shape, type.ranked_shape
    if any(shape[place] != 1 for shape in (before, after) for place in (HEIGHT, WIDTH)):
        return Failure("tosa.resize is not a pure 1x1->1x1 image operation")
    if source == type:
        rewriter.replace(op, [op.input])
        return None
    scale = integers_of(op.scale, only_shapes=True)
    if scale is None:
        return NO_MATCH
    groups = [[0], [1, 2, 3]]
    flat = collapsed(rewriter, op.input, (before[0], before[3]), groups).result
    sizes = _open_sizes(rewriter, op)
    output = empty(rewriter, shape_of(flat), type.element, sizes)

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        value = arguments[0]
        if source.element != type.element:
            value = unary(rewriter, "extsi", value, type.element)
            for factor in (scale[0], scale[2]):
                if word(op, "mode") == "BILINEAR" and factor:
                    value = binary(rewriter, "muli", value, constant(rewriter, factor, I32))
        return [value]

    made = generic(rewriter, [flat], [output], [identity_map(2)] * 2, "pp", body)
    rewriter.replace(op, [expanded(rewriter, made.result, type, groups).result])
    return None


def resized(op: ops.ResizeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Each element is looked up where it comes from."""
    type = tensor_type(op.result)
    shapes = [shape for shape in (shape_of(op.input), type.ranked_shape) if DYNAMIC in shape]
    if any(DYNAMIC in shape[1:] for shape in shapes):
        return Failure("unable to get dynamic dimensions of tosa.resize")
    sizes = [dim(rewriter, op.input, 0)] if shapes else []
    output = empty(rewriter, type.ranked_shape, type.element, sizes)
    lists = [integers_of(list_, only_shapes=True) for list_ in (op.scale, op.offset, op.border)]
    scale, offset, border = lists
    if scale is None or offset is None or border is None:
        return Failure("tosa.resize scale/offset/border should have compile time constant values.")
    if not isinstance(type.element, (FloatType, IntegerType)):
        return NO_MATCH
    image = Image(op.input, type.element, scale, offset, border, nearest=word(op, "mode") == "NEAREST_NEIGHBOR")
    made = generic(rewriter, [], [output], [identity_map(4)], "pppp", lambda _: [sample(rewriter, image)], [type])
    rewriter.replace(op, made.results)
    return None
