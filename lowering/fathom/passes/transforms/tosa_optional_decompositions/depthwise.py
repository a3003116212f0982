"""`tosa.depthwise_conv2d` by one weight for each place as a product.

Source of the rules: *TOSA specification*, "depthwise_conv2d", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.tosa.canonicalization import constant_shape
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, TensorType
from fathom.passes.tensors import ranked, tensor_type
from fathom.passes.tosa.building import splat
from fathom.passes.tosa.equal_ranks import with_equal_ranks
from fathom.passes.tosa.zero_points import known_zero_points
from fathom.records import replace
from fathom.rewriting.pattern import NO_MATCH, Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.ops import tosa as ops
    from fathom.rewriting.pattern import Replacement
    from fathom.rewriting.rewriter import Rewriter


def product(op: ops.DepthwiseConv2dOp, rewriter: Rewriter) -> Replacement:
    """The image gets a dimension behind, along which the weights of a channel are, and the products are joined to the
    channels of the result."""
    source, weights, result = (ranked(value.type) for value in (op.input, op.weight, op.output))
    if source is None or weights is None or result is None:
        return NO_MATCH
    if DYNAMIC in (*source.ranked_shape[1:], *result.ranked_shape[1:], *weights.ranked_shape):
        return NO_MATCH
    if any(stride != 1 for stride in op.stride.values) or weights.ranked_shape[:2] != (1, 1):
        return NO_MATCH
    if not all(isinstance(type.element, (IntegerType, FloatType)) for type in (source, weights)):
        return Failure("unsupported type")
    points = known_zero_points(op, ("input", "weight"))
    if isinstance(points, Failure):
        return points
    image = _reshaped(rewriter, op.input, (*source.ranked_shape, 1))
    image, weight = (_cast(rewriter, value, result.element) for value in (image, op.weight))
    image, weight = (_from_zero(rewriter, value, point) for value, point in zip((image, weight), points, strict=True))
    if any(op.pad.values):
        image = _padded(rewriter, image, op.pad.values, source.element)
    type = tensor_type(image)
    products = TensorType((*type.ranked_shape[:4], weights.ranked_shape[3]), tensor_type(weight).element)
    pair = with_equal_ranks(rewriter, image, weight)
    if pair is None:
        return NO_MATCH
    made = rewriter.create("tosa.mul", [*pair, splat(rewriter, 0, (1,), IntegerType(8))], [products]).result
    summed = TensorType(result.shape, type.element)
    shape = constant_shape(result.ranked_shape, rewriter)
    made = rewriter.create("tosa.reshape", [made, shape], [summed]).result
    pair = with_equal_ranks(rewriter, made, op.bias)
    return rewriter.create("tosa.add", pair, [summed]) if pair is not None else None


def _reshaped(rewriter: Rewriter, value: Value, shape: Sequence[int]) -> Value:
    type = replace(tensor_type(value), shape=tuple(shape))
    return rewriter.create("tosa.reshape", [value, constant_shape(shape, rewriter)], [type]).result


def _cast(rewriter: Rewriter, value: Value, element: Type) -> Value:
    type = tensor_type(value)
    if type.element == element:
        return value
    return rewriter.create("tosa.cast", [value], [replace(type, element=element)]).result


def _from_zero(rewriter: Rewriter, value: Value, point: int) -> Value:
    """What counts from a zero point, counted from zero."""
    if not point:
        return value
    type = tensor_type(value)
    number = splat(rewriter, point, (1,) * len(type.ranked_shape), type.element)
    return rewriter.create("tosa.sub", [value, number], [type]).result


def _padded(rewriter: Rewriter, image: Value, pads: Sequence[int], element: Type) -> Value:
    """Zeros around height and width."""
    around = (0, 0, *pads, 0, 0, 0, 0)
    sizes = zip(tensor_type(image).ranked_shape, around[::2], around[1::2], strict=True)
    shape = tuple(DYNAMIC if size == DYNAMIC else size + before + behind for size, before, behind in sizes)
    padding, zero = constant_shape(around, rewriter), splat(rewriter, 0, (1,), element)
    return rewriter.create("tosa.pad", [image, padding, zero], [TensorType(shape, element)]).result
