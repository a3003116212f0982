"""The checks of convolutions and of pooling.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from fathom.dialects.tosa.values import (
    check_zero_points,
    is_float,
    is_int,
    is_plain,
    same_input_and_output,
    shape_of,
    static,
    stored_of,
)
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.spelling import spell_numbers
from fathom.ir.types import IntegerType, Type
from fathom.irdl.checking import all_of
from fathom.irdl.verifying import Check, Checks
from fathom.ops import tosa as ops
from fathom.records import record


@record
class Window:
    """How a kernel goes along one dimension: the words of messages, and the places of its numbers."""

    dimension: str
    axis: str
    before: str
    after: str


HEIGHT: Final = Window("height", "y", "top", "bottom")
WIDTH: Final = Window("width", "x", "left", "right")
DEPTH: Final = Window("depth", "d", "front", "back")


Direct: TypeAlias = "ops.Conv2dOp | ops.Conv3dOp | ops.DepthwiseConv2dOp"
Convolution: TypeAlias = "Direct | ops.TransposeConv2dOp"


def _check_elements(op: Convolution) -> str | None:
    """What `verifyConvOp` asks of element types and zero points."""
    source, weight, bias = (stored_of(value.type) for value in (op.input, op.weight, op.bias))
    result = stored_of(op.result.type)
    if is_float(bias) and is_float(result) and bias != result:
        return f"expect both bias and result to have same element type, got '{bias}' and '{result}'"
    if not is_plain(source) or not is_plain(weight):
        return None
    if any(is_float(type_, "f8E5M2", "f8E4M3FN") for type_ in (source, weight)) and source != weight:
        return f"expect both input and weight to have same element type, got '{source}' and '{weight}'"
    if is_float(source) != is_float(weight):
        return f"expect both input and weight to be float or not together, got '{source}' and '{weight}'"
    return check_zero_points(op, "input", "weight")


def _check_accumulator(op: Convolution) -> str | None:
    source, type = stored_of(op.input.type), op.acc_type.type
    if is_int(source, 8) and not is_int(type, 32):
        return "accumulator type for i8 tensor is not i32"
    if is_int(source, 16) and not is_int(type, 48):
        return "accumulator type for i16 tensor is not i48"
    if is_float(source, "f8E5M2", "f8E4M3") and not is_float(type, "f16"):
        return "accumulator type for f8 tensor is not f16"
    return _check_float_accumulator(source, type)


def _check_float_accumulator(source: Type, type: Type) -> str | None:
    for name, *wanted in (("f16", "f16", "f32"), ("bf16", "f32"), ("f32", "f32")):
        if is_float(source, name) and not is_float(type, *wanted):
            return f"accumulator type for {name} tensor is not {'/'.join(wanted)}"
    return None


def _check_least(*lists: tuple[DenseArrayAttr, str, int]) -> str | None:
    """Numbers that a list has, what it is called, and the least that each may be."""
    for numbers, what, least in lists:
        if any(value < least for value in numbers.values):
            return f"expect all {what} values to be >= {least}, got {spell_numbers(numbers.values)}"
    return None


def _check_numbers(op: Direct) -> str | None:
    return _check_least((op.pad, "padding", 0), (op.stride, "stride", 1), (op.dilation, "dilation", 1))


def _check_extent(
    window: Window, extents: tuple[int, int, int], pads: Sequence[int], stride: int, dilation: int
) -> str | None:
    """The extents of input, kernel and output fit together along one dimension."""
    source, kernel, result = extents
    if not static(source, kernel):
        return None
    name, axis = window.dimension, window.axis
    formula = f"input_{name} - 1 + pad_{window.before} + pad_{window.after} - (kernel_{name} - 1) * dilation_{axis}"
    given = f"({source} - 1 + {pads[0]} + {pads[1]} - ({kernel} - 1) * {dilation}) / {stride}"
    reach = source - 1 + pads[0] + pads[1] - (kernel - 1) * dilation
    rule = f"{formula} to be wholly divisible by stride_{axis}, got {given}"
    return _check_steps(window, reach, stride, result, rule)


def _check_steps(window: Window, reach: int, stride: int, result: int, rule: str) -> str | None:
    """The steps of a kernel reach the end, and as many as the output has elements."""
    if reach % stride:
        return f"expected {rule}"
    size = reach // stride + 1
    if not static(result) or size == result:
        return None
    return f"calculated output {window.dimension} did not match expected: calculated={size}, expected={result}"


def _check_shapes(windows: Sequence[Window], first_kernel: int) -> Check:
    """The check of a convolution whose kernel's extents begin at a dimension of the weight."""

    def check(op: Direct) -> str | None:
        result = shape_of(op.result.type)
        if result is None:
            return None
        source, weight = shape_of(op.input.type), shape_of(op.weight.type)
        pads, strides, dilations = op.pad.values, op.stride.values, op.dilation.values
        for index, window in enumerate(windows):
            if source is None or weight is None:
                break
            extents = source[1 + index], weight[first_kernel + index], result[1 + index]
            around = pads[2 * index : 2 * index + 2]
            if problem := _check_extent(window, extents, around, strides[index], dilations[index]):
                return problem
        return _check_bias(op, result)

    return check


def _check_bias(op: Convolution, result: Sequence[int]) -> str | None:
    bias = shape_of(op.bias.type)
    if not bias or not static(bias[0], result[-1]) or bias[0] in (result[-1], 1):
        return None
    return f"bias channels expected to be equal to output channels ({result[-1]}) or 1, got {bias[0]}"


# ---- tosa.transpose_conv2d


def _check_transposed(op: ops.TransposeConv2dOp) -> str | None:
    strides, pads = op.stride.values, op.out_pad.values
    if any(stride < 1 for stride in strides):
        return f"expect all stride values to be >= 1, got [{spell_numbers(strides)}]"
    weight, source, result = (shape_of(value.type) for value in (op.weight, op.input, op.result))
    names = ("out_pad_top", "out_pad_bottom", "out_pad_left", "out_pad_right")
    for index, (name, pad) in enumerate(zip(names, pads, strict=True)):
        kernel = weight[1 + index // 2] if weight is not None else None
        which = "KW" if index > 1 else "KH"
        if kernel is not None and static(kernel) and pad <= -kernel:
            return f"expected {name} > -{which}, but got: {name}={pad} and {which}={kernel}"
    if result is None:
        return None
    for index, (letter, axis) in enumerate((("H", "y"), ("W", "x"))):
        if source is None or weight is None or not static(source[1 + index], result[1 + index]):
            continue
        before, after = pads[2 * index : 2 * index + 2]
        inner, kernel, outer, stride = source[1 + index], weight[1 + index], result[1 + index], strides[index]
        if outer != (inner - 1) * stride + before + after + kernel:
            ends = ("out_pad_left + out_pad_right", "out_pad_top + out_pad_bottom")[letter == "H"]
            formula = f"O{letter} == (I{letter} - 1) * stride_{axis} + {ends} + K{letter}"
            given = f"{outer} != ({inner} - 1) * {stride} + {before} + {after} + {kernel}"
            return f"dimension mismatch: expected {formula}, but got {given}"
    return _check_bias(op, result)


# ---- pooling


def _check_pooling(op: ops.AvgPool2dOp | ops.MaxPool2dOp) -> str | None:
    if problem := _check_least((op.kernel, "kernel", 1), (op.stride, "stride", 1), (op.pad, "padding", 0)):
        return problem
    (height, width), strides, (top, bottom, left, right) = op.kernel.values, op.stride.values, op.pad.values
    if max(left, right) >= width:
        given = f"pad_left={left}, pad_right={right}, kernel_x={width}"
        return f"expected left/right padding to be less than the width of the kernel, got {given}"
    if max(top, bottom) >= height:
        given = f"pad_top={top}, pad_bottom={bottom}, kernel_y={height}"
        return f"expected top/bottom padding to be less than the height of the kernel, got {given}"
    source, result = shape_of(op.input.type), shape_of(op.result.type)
    if source is None or result is None:
        return None
    sides = ((HEIGHT, top, bottom, height), (WIDTH, left, right, width))
    for index, (window, before, after, kernel) in enumerate(sides):
        extent, stride, name, axis = source[1 + index], strides[index], window.dimension, window.axis
        formula = f"input_{name} + pad_{window.before} + pad_{window.after} - kernel_{axis}"
        given = f"({extent} + {before} + {after} - {kernel}) / {stride}"
        rule = f"{formula} to be wholly divisible by stride_{axis}, got {given}"
        reach = extent + before + after - kernel
        if static(extent) and (problem := _check_steps(window, reach, stride, result[1 + index], rule)):
            return problem
    return None


def _check_average(op: ops.AvgPool2dOp) -> str | None:
    source, type = stored_of(op.input.type), op.acc_type.type
    if isinstance(source, IntegerType) and not is_int(type, 32):
        return "accumulator type for integer tensor is not i32"
    return _check_float_accumulator(source, type) or check_zero_points(op, "input", "output")


def _convolution(windows: Sequence[Window], first_kernel: int) -> Check:
    return all_of(_check_elements, _check_accumulator, _check_numbers, _check_shapes(windows, first_kernel))


VERIFY: Final[Checks] = {
    "tosa.transpose_conv2d": all_of(_check_elements, _check_accumulator, _check_transposed),
    "tosa.avg_pool2d": all_of(_check_pooling, _check_average),
    "tosa.max_pool2d": all_of(same_input_and_output, _check_pooling),
    "tosa.conv2d": _convolution((HEIGHT, WIDTH), 1),
    "tosa.conv3d": _convolution((DEPTH, HEIGHT, WIDTH), 1),
    "tosa.depthwise_conv2d": _convolution((HEIGHT, WIDTH), 0),
}
