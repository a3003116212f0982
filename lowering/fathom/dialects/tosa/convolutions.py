"""The checks of convolutions and of pooling.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.tosa.values import (
    check_zero_points,
    is_float,
    is_int,
    is_plain,
    listed,
    same_input_and_output,
    shape_of,
    static,
    stored_of,
)
from fathom.ir.attributes import TypeAttr
from fathom.ir.property_values import numbers_property
from fathom.ir.types import IntegerType
from fathom.irdl.checking import all_of
from fathom.irdl.verifying import Check, Checks
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


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


def _check_elements(op: Operation) -> str | None:
    """What `verifyConvOp` asks of element types and zero points."""
    source, weight, bias = (stored_of(op.one_of(name).type) for name in ("input", "weight", "bias"))
    result = stored_of(op.results[0].type)
    if is_float(bias) and is_float(result) and bias != result:
        return f"expect both bias and result to have same element type, got '{bias}' and '{result}'"
    if not is_plain(source) or not is_plain(weight):
        return None
    if any(is_float(each, "f8E5M2", "f8E4M3FN") for each in (source, weight)) and source != weight:
        return f"expect both input and weight to have same element type, got '{source}' and '{weight}'"
    if is_float(source) != is_float(weight):
        return f"expect both input and weight to be float or not together, got '{source}' and '{weight}'"
    return check_zero_points(
        op,
        ("input", "input_zp", "expect both input and its zero point are the same element type, got {}"),
        ("weight", "weight_zp", "expect both weight and its zero point are the same element type, got {}"),
    )


def _check_accumulator(op: Operation) -> str | None:
    source = stored_of(op.one_of("input").type)
    attribute = op.properties.get("acc_type")
    if not isinstance(attribute, TypeAttr):
        return None
    type = attribute.type
    if is_int(source, 8) and not is_int(type, 32):
        return "accumulator type for i8 tensor is not i32"
    if is_int(source, 16) and not is_int(type, 48):
        return "accumulator type for i16 tensor is not i48"
    if is_float(source, "f8E5M2", "f8E4M3") and not is_float(type, "f16"):
        return "accumulator type for f8 tensor is not f16"
    return _check_float_accumulator(op)


def _check_float_accumulator(op: Operation) -> str | None:
    source = stored_of(op.one_of("input").type)
    attribute = op.properties.get("acc_type")
    if not isinstance(attribute, TypeAttr):
        return None
    if is_float(source, "f16") and not is_float(attribute.type, "f16", "f32"):
        return "accumulator type for f16 tensor is not f16/f32"
    for name in ("bf16", "f32"):
        if is_float(source, name) and not is_float(attribute.type, "f32"):
            return f"accumulator type for {name} tensor is not f32"
    return None


def _check_numbers(op: Operation) -> str | None:
    for name, what, least in (("pad", "padding", 0), ("stride", "stride", 1), ("dilation", "dilation", 1)):
        found = numbers_property(op, name)
        if any(value < least for value in found):
            return f"expect all {what} values to be >= {least}, got {listed(found)}"
    return None


def _check_extent(
    window: Window, extents: tuple[int, int, int], pads: Sequence[int], stride: int, dilation: int
) -> str | None:
    """The extents of input, kernel and output fit together along one dimension."""
    source, kernel, result = extents
    if not static(source, kernel):
        return None
    name, axis = window.dimension, window.axis
    rest = source - 1 + pads[0] + pads[1] - (kernel - 1) * dilation
    if rest % stride:
        kernel_part = f"(kernel_{name} - 1) * dilation_{axis} to be wholly divisible by stride_{axis}"
        formula = f"input_{name} - 1 + pad_{window.before} + pad_{window.after} - {kernel_part}"
        given = f"({source} - 1 + {pads[0]} + {pads[1]} - ({kernel} - 1) * {dilation}) / {stride}"
        return f"expected {formula}, got {given}"
    if static(result) and rest // stride + 1 != result:
        return f"calculated output {name} did not match expected: calculated={rest // stride + 1}, expected={result}"
    return None


def _check_shapes(windows: Sequence[Window], first_kernel: int) -> Check:
    """The check of a convolution whose kernel's extents begin at a dimension of the weight."""

    def check(op: Operation) -> str | None:
        result = shape_of(op.results[0].type)
        if result is None:
            return None
        source, weight = shape_of(op.one_of("input").type), shape_of(op.one_of("weight").type)
        pads, strides, dilations = (
            numbers_property(op, "pad"),
            numbers_property(op, "stride"),
            numbers_property(op, "dilation"),
        )
        is_whole = len(pads) == 2 * len(windows) and len(strides) == len(dilations) == len(windows)
        if source is not None and weight is not None and is_whole:
            for index, window in enumerate(windows):
                extents = source[1 + index], weight[first_kernel + index], result[1 + index]
                found = _check_extent(
                    window, extents, pads[2 * index : 2 * index + 2], strides[index], dilations[index]
                )
                if found is not None:
                    return found
        return _check_bias(op, result)

    return check


def _check_bias(op: Operation, result: Sequence[int]) -> str | None:
    bias = shape_of(op.one_of("bias").type)
    if bias is None or not bias or not static(bias[0], result[-1]) or bias[0] in (result[-1], 1):
        return None
    return f"bias channels expected to be equal to output channels ({result[-1]}) or 1, got {bias[0]}"


# ---- tosa.transpose_conv2d


def _check_transposed(op: Operation) -> str | None:
    strides, pads = numbers_property(op, "stride"), numbers_property(op, "out_pad")
    if len(strides) != 2 or len(pads) != 4:
        return None
    if any(stride < 1 for stride in strides):
        return f"expect all stride values to be >= 1, got [{listed(strides)}]"
    weight, source = shape_of(op.one_of("weight").type), shape_of(op.one_of("input").type)
    result = shape_of(op.results[0].type)
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


def _check_pooling(op: Operation) -> str | None:
    kernel, strides, pads = numbers_property(op, "kernel"), numbers_property(op, "stride"), numbers_property(op, "pad")
    if len(kernel) != 2 or len(strides) != 2 or len(pads) != 4:
        return None
    for found, what, least in ((kernel, "kernel", 1), (strides, "stride", 1), (pads, "padding", 0)):
        if any(value < least for value in found):
            return f"expect all {what} values to be >= {least}, got {listed(found)}"
    top, bottom, left, right = pads
    if max(left, right) >= kernel[1]:
        given = f"pad_left={left}, pad_right={right}, kernel_x={kernel[1]}"
        return f"expected left/right padding to be less than the width of the kernel, got {given}"
    if max(top, bottom) >= kernel[0]:
        given = f"pad_top={top}, pad_bottom={bottom}, kernel_y={kernel[0]}"
        return f"expected top/bottom padding to be less than the height of the kernel, got {given}"
    source, result = shape_of(op.one_of("input").type), shape_of(op.results[0].type)
    if source is None or result is None:
        return None
    for index, window in enumerate((HEIGHT, WIDTH)):
        extent, outer = source[1 + index], result[1 + index]
        before, after = pads[2 * index : 2 * index + 2]
        if not static(extent):
            continue
        rest = extent + before + after - kernel[index]
        name, axis = window.dimension, window.axis
        if rest % strides[index]:
            formula = f"input_{name} + pad_{window.before} + pad_{window.after} - kernel_{axis}"
            given = f"({extent} + {before} + {after} - {kernel[index]}) / {strides[index]}"
            return f"expected {formula} to be wholly divisible by stride_{axis}, got {given}"
        found = rest // strides[index] + 1
        if static(outer) and found != outer:
            return f"calculated output {name} did not match expected: calculated={found}, expected={outer}"
    return None


def _check_average(op: Operation) -> str | None:
    attribute = op.properties.get("acc_type")
    source = stored_of(op.one_of("input").type)
    if isinstance(attribute, TypeAttr) and isinstance(source, IntegerType) and not is_int(attribute.type, 32):
        return "accumulator type for integer tensor is not i32"
    return _check_float_accumulator(op) or check_zero_points(
        op,
        ("input", "input_zp", "expect both input and its zero point are the same element type, got {}"),
        ("output", "output_zp", "expect both output and its zero point are the same element type, got {}"),
    )


def _convolution(windows: Sequence[Window], first_kernel: int) -> Check:
    shapes = _check_shapes(windows, first_kernel)
    return all_of(_check_elements, _check_accumulator, _check_numbers, shapes)


VERIFY: Final[Checks] = {
    "tosa.transpose_conv2d": all_of(_check_elements, _check_accumulator, _check_transposed),
    "tosa.avg_pool2d": all_of(_check_pooling, _check_average),
    "tosa.max_pool2d": all_of(same_input_and_output, _check_pooling),
    "tosa.conv2d": _convolution((HEIGHT, WIDTH), 1),
    "tosa.conv3d": _convolution((DEPTH, HEIGHT, WIDTH), 1),
    "tosa.depthwise_conv2d": _convolution((HEIGHT, WIDTH), 0),
}
