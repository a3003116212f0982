"""`tosa.conv2d`, `tosa.conv3d` and `tosa.depthwise_conv2d`.

The bias is what sums begin with; where channels are apart, it is added afterwards. Source of the rules: *TOSA
specification*, "conv2d", "conv3d" and "depthwise_conv2d", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, identity_map
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.types import DYNAMIC, I32, FloatType, IntegerType, Type
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, constant
from fathom.passes.conversions.tosa_to_linalg_named.windows import (
    Window,
    as_tensor,
    extent_of_result,
    padded,
    rank_of,
    windows,
)
from fathom.passes.structured import fill, generic, named
from fathom.passes.tensors import collapsed, empty, shape_of, tensor_type
from fathom.passes.tosa.limits import highest, lowest
from fathom.passes.tosa.zero_points import known_zero_points
from fathom.records import replace
from fathom.rewriting.pattern import Failure
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter

    Whole: TypeAlias = "ops.Conv2dOp | ops.Conv3dOp"
    Convolution: TypeAlias = "Whole | ops.DepthwiseConv2dOp"


def convolution(
    op: Whole, operands: Sequence[Value], rewriter: ConversionRewriter, *, channels_last: bool
) -> Failure | None:
    """All channels are summed. With channels last the kernel is transposed, as it is for three dimensions."""
    points = known_zero_points(op, ("input", "weight"))
    if isinstance(points, Failure):
        return points
    if any(DYNAMIC in shape_of(value) for value in (op.weight, op.bias)):
        return Failure("tosa.conv ops require static shapes for weight and bias")
    element = tensor_type(op.input).element
    if isinstance(element, IntegerType) and element.signedness == "u":
        return Failure("tosa.conv ops does not support unsigned integer input")
    rank, type = rank_of(op.input), tensor_type(op.output)
    sizes = _sizes(rewriter, op, range(1, rank_of(op.output) - 1))
    source = _padded_input(rewriter, op, points)
    if isinstance(source, Failure):
        return source
    weight = _channels_last(rewriter, op.weight) if channels_last or rank == 5 else op.weight
    start = empty(rewriter, type.ranked_shape, op.acc_type.type, sizes)
    start = _repeated(rewriter, op.bias, start)
    name = "conv_3d_ndhwc_dhwcf" if rank == 5 else "conv_2d_nhwc_hwcf" if channels_last else "conv_2d_nhwc_fhwc"
    if any(points):
        result = _quantized(rewriter, op, name, [source, weight], points, start, type)
    else:
        result = named(rewriter, name, [source, weight], [start], _steps(op)).result
        if result.type != type:
            result = rewriter.create("tosa.cast", [result], [type]).result
    rewriter.replace(op, [result])
    return None


def depthwise(op: ops.DepthwiseConv2dOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Each channel for itself gives several, which linalg has along a dimension of their own."""
    if any(DYNAMIC in shape_of(value) for value in (op.weight, op.bias)):
        return Failure("tosa.depthwise_conv ops require static shapes")
    sizes = _sizes(rewriter, op, (0, 1))
    points = known_zero_points(op, ("input", "weight"))
    if isinstance(points, Failure):
        return points
    source = _padded_input(rewriter, op, points)
    if isinstance(source, Failure):
        return source
    type, sum_type, rank = tensor_type(op.output), op.acc_type.type, rank_of(op.output)
    shape = (*type.ranked_shape[:3], *shape_of(op.weight)[2:])
    start = empty(rewriter, shape, sum_type, sizes)
    start = fill(rewriter, constant(rewriter, 0, sum_type), start)
    output = empty(rewriter, type.ranked_shape, type.element, sizes)
    maps = [_repeating(op.bias, rank), identity_map(rank), identity_map(rank)]
    name, inputs = "depthwise_conv_2d_nhwc_hwcm", [source, op.weight]
    if any(points):
        result = _quantized(rewriter, op, name, inputs, points, start, start.type)
    else:
        result = named(rewriter, name, inputs, [start], _steps(op)).result
        if sum_type != type.element:
            result = rewriter.create("tosa.cast", [result], [replace(type, shape=shape)]).result
    groups = [*([index] for index in range(rank - 1)), [rank - 1, rank]]
    result = collapsed(rewriter, result, type.ranked_shape, groups).result
    is_float = isinstance(tensor_type(op.input).element, FloatType)

    def add_bias(arguments: Sequence[Value]) -> Sequence[Value]:
        bias, sum, _ = arguments
        if any(points) and bias.type != sum.type:
            bias = unary(rewriter, "extsi", bias, sum.type)
        return [binary(rewriter, "addf" if is_float else "addi", bias, sum)]

    rewriter.replace(op, generic(rewriter, [op.bias, result], [output], maps, "p" * rank, add_bias, [type]).results)
    return None


def _steps(op: Convolution) -> dict[str, Attribute]:
    return {"strides": as_tensor(op.stride.values), "dilations": as_tensor(op.dilation.values)}


def _quantized(
    rewriter: Rewriter,
    op: Convolution,
    name: str,
    inputs: Sequence[Value],
    points: Sequence[int],
    start: Value,
    type: Type,
) -> Value:
    """The operation that takes the zero points beside the elements."""
    numbers = [constant(rewriter, point, I32) for point in points]
    return named(rewriter, f"{name}_q", [*inputs, *numbers], [start], _steps(op), [type]).result


def _padded_input(rewriter: Rewriter, op: Convolution, points: Sequence[int]) -> Value | Failure:
    """What stands around the image is zero, as the zero point says."""
    element = tensor_type(op.input).element
    if not isinstance(element, (IntegerType, FloatType)):
        return Failure(f"there is no zero of type {element}")
    if any(points) and isinstance(element, IntegerType) and not lowest(element) <= points[0] <= highest(element):
        return Failure("the zero point is outside of the range of the input")
    return padded(rewriter, op.input, op.pad.values, points[0] if any(points) else 0)


def _sizes(rewriter: Rewriter, op: Convolution, kernel_places: Sequence[int]) -> list[Value]:
    """The sizes of the result that its type does not say: first those along which the window moves."""
    shape = shape_of(op.output)
    extents: dict[int, Value] = {}
    spans = windows(op.pad.values, op.stride.values, op.dilation.values)
    for place, (kernel_place, window) in enumerate(zip(kernel_places, spans, strict=True), 1):
        if shape[place] == DYNAMIC:
            extents[place] = _extent(rewriter, op, place, kernel_place, window)
    for place, size in enumerate(shape):
        if size == DYNAMIC and place not in extents:
            extents[place] = dim(rewriter, op.input, place)
    return [extents[place] for place in sorted(extents)]


def _extent(rewriter: Rewriter, op: Convolution, place: int, kernel_place: int, window: Window) -> Value:
    extent = dim(rewriter, op.input, place)
    return extent_of_result(rewriter, extent, dim(rewriter, op.weight, kernel_place), window)


def _channels_last(rewriter: Rewriter, weight: Value) -> Value:
    """A kernel with its first dimension last."""
    type = tensor_type(weight)
    order = [*range(1, len(type.ranked_shape)), 0]
    transposed = replace(type, shape=tuple(type.ranked_shape[place] for place in order))
    return rewriter.create(
        "tosa.transpose", [weight], [transposed], {"perms": DenseArrayAttr(I32, tuple(order))}
    ).result


def _repeating(bias: Value, rank: int) -> AffineMap:
    """How a bias is read: it is the same along all dimensions but the last."""
    shape = shape_of(bias)
    if shape == (1,):
        return AffineMap(rank, 0, (AffineConstant(0),))
    return AffineMap(rank, 0, tuple(AffineDim(index + rank - len(shape)) for index in range(len(shape))))


def _repeated(rewriter: Rewriter, bias: Value, output: Value) -> Value:
    """The bias in each place of an output, in its type."""
    type, rank = tensor_type(output).element, rank_of(output)
    name = "extf" if isinstance(type, FloatType) else "extsi"

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        value = arguments[0]
        return [value if value.type == type else unary(rewriter, name, value, type)]

    return generic(rewriter, [bias], [output], [_repeating(bias, rank), identity_map(rank)], "p" * rank, body).result
