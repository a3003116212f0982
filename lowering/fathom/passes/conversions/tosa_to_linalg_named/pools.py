"""`tosa.max_pool2d` and `tosa.avg_pool2d`.

Source of the rules: *TOSA specification*, "max_pool2d" and "avg_pool2d", and the order of the operations that mlir-opt
22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.linalg.bodies import UNKNOWN
from fathom.dialects.linalg.named import NAMED
from fathom.ir.affine import identity_map
from fathom.ir.floats import largest
from fathom.ir.types import DYNAMIC, I32, I64, FloatType, IntegerType, TensorType, Type, element_type
from fathom.irdl.cases import word
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, compare_floats, constant, select
from fathom.passes.conversions.tosa_to_linalg.movements import loop_index
from fathom.passes.conversions.tosa_to_linalg_named.windows import (
    Window,
    as_vector,
    extent_of_result,
    padded,
)
from fathom.passes.structured import fill, generic, named
from fathom.passes.tensors import empty, shape_of, tensor_type
from fathom.passes.tosa.constants import rounding_mode
from fathom.passes.tosa.limits import clamp, highest, lowest
from fathom.passes.tosa.zero_points import known_zero_points
from fathom.rewriting.pattern import NO_MATCH, Failure
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter

I8 = IntegerType(8)


def _steps(op: ops.MaxPool2dOp | ops.AvgPool2dOp) -> dict[str, Attribute]:
    return {"strides": as_vector(op.stride.values), "dilations": as_vector((1, 1))}


# ---- the greatest


def greatest(op: ops.MaxPool2dOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """What is no number is passed over if it is to be, by the operation's loop written out."""
    assert rewriter.types is not None, "the pattern has a type converter"
    source, type = operands[0], rewriter.types.convert(op.output.type)
    assert isinstance(type, TensorType), "a tensor becomes one"
    element, own = type.element, element_type(op.output.type)
    is_unsigned = isinstance(own, IntegerType) and own.signedness == "u"
    sizes = _sizes_of_greatest(rewriter, op, source)
    first = _first(element, is_unsigned=is_unsigned)
    if first is None:
        return Failure("Unsupported initial value for tosa.maxpool_2d op")
    image = padded(rewriter, source, op.pad.values, first)
    number = constant(rewriter, first, element)
    start = fill(rewriter, number, empty(rewriter, type.ranked_shape, element, sizes))
    window = empty(rewriter, op.kernel.values, element, [])
    name = "pooling_nhwc_max_unsigned" if is_unsigned else "pooling_nhwc_max"
    if not isinstance(element, FloatType) or word(op, "nan_mode") != "IGNORE":
        rewriter.replace(op, named(rewriter, name, [image, window], [start], _steps(op)).results)
        return None

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        value, _, old = arguments
        with rewriter.elsewhere():
            rewriter.location = UNKNOWN  # MLIR takes it out of the body of the named operation.
            joined = binary(rewriter, "maximumf", old, value)
        return [select(rewriter, compare_floats(rewriter, "uno", value, value), old, joined)]

    pool = NAMED[name]
    maps = pool.maps_for(op.stride.values, (1, 1))
    rewriter.replace(op, generic(rewriter, [image, window], [start], maps, pool.loops, body).results)
    return None


def _first(element: Type, *, is_unsigned: bool) -> int | None:
    """The least that there is."""
    match element:
        case FloatType("f16" | "bf16" | "f32"):
            return largest(element.name, negative=True)
        case IntegerType():
            return 0 if is_unsigned else lowest(element)
        case _:
            return None


def _sizes_of_greatest(rewriter: Rewriter, op: ops.MaxPool2dOp, source: Value) -> list[Value]:
    """The sizes of the result that its type does not say."""
    values: list[Value] = []
    for place, size in enumerate(shape_of(op.output)):
        if size != DYNAMIC:
            continue
        extent = dim(rewriter, source, place)
        if place in (1, 2):
            kernel = constant(rewriter, op.kernel.values[place - 1])
            before, behind = op.pad.values[2 * place - 2 : 2 * place]
            extent = extent_of_result(rewriter, extent, kernel, Window(before, behind, op.stride.values[place - 1], 1))
        values.append(extent)
    return values


# ---- the average


def average(op: ops.AvgPool2dOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A sum, and then each over how many elements of the image it is of."""
    type, element, sum_type = tensor_type(op.output), tensor_type(op.input).element, op.acc_type.type
    shapes = [shape for shape in (shape_of(op.input), type.ranked_shape) if DYNAMIC in shape]
    if any(DYNAMIC in shape[1:] for shape in shapes):
        return Failure("input can only be dynamic for batch size")
    sizes = [dim(rewriter, op.input, 0)] if shapes else []
    points = known_zero_points(op, ("input", "output"), "{} zero point could not")
    if isinstance(points, Failure):
        return points
    if not isinstance(element, (FloatType, IntegerType)):
        return NO_MATCH
    image = padded(rewriter, op.input, op.pad.values, 0)
    number = constant(rewriter, 0, sum_type)
    start = fill(rewriter, number, empty(rewriter, type.ranked_shape, sum_type, sizes))
    window = empty(rewriter, op.kernel.values, sum_type, [])
    sums = named(rewriter, "pooling_nhwc_sum", [image, window], [start], _steps(op)).result
    extents = [dim(rewriter, sums, place) for place in (1, 2)]
    one = constant(rewriter, 1)
    lasts = [binary(rewriter, "subi", extent, one) for extent in extents]
    output = empty(rewriter, type.ranked_shape, type.element, sizes)

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        count = _count(rewriter, op, lasts, one)
        if isinstance(sum_type, FloatType):
            return [_float_average(rewriter, arguments[0], count, type.element)]
        return [_integer_average(rewriter, arguments[0], count, points, type.element)]

    maps = [identity_map(4)] * 2
    rewriter.replace(op, generic(rewriter, [sums], [output], maps, "pppp", body, [type]).results)
    return None


def _count(rewriter: Rewriter, op: ops.AvgPool2dOp, lasts: Sequence[Value], one: Value) -> Value:
    """How many elements of the image are in the window of the loop's place."""
    zero = constant(rewriter, 0)

    def without(length: Value, distance: Value, pad: int) -> Value:
        """Less what lies outside on one side, so far from which it is."""
        if not pad:
            return length
        outside = binary(rewriter, "subi", distance, constant(rewriter, pad))
        return binary(rewriter, "addi", length, binary(rewriter, "minsi", outside, zero))

    lengths: list[Value] = []
    for axis, last in enumerate(lasts):
        stride = constant(rewriter, op.stride.values[axis])
        length = constant(rewriter, op.kernel.values[axis])
        left = loop_index(rewriter, axis + 1)
        right = binary(rewriter, "subi", last, left)
        distances = [binary(rewriter, "muli", value, stride) for value in (left, right)]
        for distance, pad in zip(distances, op.pad.values[2 * axis : 2 * axis + 2], strict=True):
            length = without(length, distance, pad)
        lengths.append(binary(rewriter, "maxsi", one, length))
    return unary(rewriter, "index_cast", binary(rewriter, "muli", lengths[0], lengths[1]), I32)


def _float_average(rewriter: Rewriter, sum: Value, count: Value, type: Type) -> Value:
    wide = sum.type
    assert isinstance(wide, FloatType) and isinstance(type, FloatType), "a sum of floats is one"
    result = binary(rewriter, "divf", sum, unary(rewriter, "sitofp", count, wide))
    return unary(rewriter, "truncf", result, type) if wide.width > type.width else result


def _integer_average(rewriter: Rewriter, sum: Value, count: Value, points: Sequence[int], type: Type) -> Value:
    """The quotient is a product, scaled: `2^k` is the next power of two to the count, and the multiplier `2^(30 + k)`
    over it."""
    source_zero, zero = points
    if source_zero:
        point = constant(rewriter, source_zero, sum.type)
        sum = binary(rewriter, "subi", sum, binary(rewriter, "muli", count, point))
    one, bits = constant(rewriter, 1, I32), constant(rewriter, 32, I32)
    less = binary(rewriter, "subi", count, one)
    leading = rewriter.create("math.ctlz", [less], [I32]).result
    power = binary(rewriter, "subi", bits, leading)
    wide = unary(rewriter, "extui", power, I64)
    numerator = binary(rewriter, "shli", constant(rewriter, (1 << 30) + 1, I64), wide)
    multiplier = binary(rewriter, "divui", numerator, unary(rewriter, "extui", count, I64))
    multiplier = unary(rewriter, "trunci", multiplier, I32)
    shift = binary(rewriter, "addi", unary(rewriter, "trunci", power, I8), constant(rewriter, 30, I8))
    properties = {"rounding_mode": rounding_mode("SINGLE_ROUND")}
    scaled = rewriter.create("tosa.apply_scale", [sum, multiplier, shift], [I32], properties).result
    if zero:
        scaled = binary(rewriter, "addi", scaled, constant(rewriter, zero, scaled.type))
    assert isinstance(type, IntegerType), "an average of integers is one"
    limits = [constant(rewriter, number, sum.type) for number in (lowest(type), highest(type))]
    result = clamp(rewriter, scaled, limits[0], limits[1])
    return result if result.type == type else unary(rewriter, "trunci", result, type)
