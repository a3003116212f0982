"""The checks of levels.

Source of the rules: *TOSA specification*, "Levels"; the texts are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.tosa.control import variable_type
from fathom.dialects.tosa.values import integers_of, shape_of, shape_rank
from fathom.ir.operation import is_module
from fathom.ir.traversal import ancestors
from fathom.ir.types import DYNAMIC, FloatType, IntegerType, ShapedType, Type, element_type
from fathom.ops import tosa as ops
from fathom.ops.func import FuncOp
from fathom.passes.transforms.tosa_validate.supported import FIRST

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transforms.tosa_validate.target import Level, Target

_EXAMINED: Final = {
    **dict.fromkeys(
        (
            "tosa.avg_pool2d tosa.const_shape tosa.conv2d tosa.conv3d tosa.custom tosa.depthwise_conv2d tosa.fft2d "
            "tosa.gather tosa.matmul tosa.matmul_t_block_scaled tosa.max_pool2d tosa.resize tosa.rfft2d tosa.scatter "
            "tosa.transpose_conv2d tosa.while_loop"
        ).split(),
        (False, True),
    ),
    **dict.fromkeys(
        (
            "tosa.add_shape tosa.concat_shape tosa.div_ceil_shape tosa.div_floor_shape tosa.exp2_shape "
            "tosa.log2_ceil_shape tosa.log2_floor_shape tosa.max_shape tosa.min_shape tosa.mod_shape tosa.mul_shape "
            "tosa.slice_shape tosa.sub_shape"
        ).split(),
        (True, False),
    ),
    "tosa.apply_scale": (False, False),
    "tosa.yield": (False, False),
}
"""Whether ranks are looked at, and whether sizes are; of all others both."""


def check_level(op: Operation, level: Level, target: Target) -> str | None:
    """Why an operation is not of a level."""
    return next((problem for problem in _problems(op, level, target) if problem is not None), None)


def _problems(op: Operation, level: Level, target: Target) -> Iterator[str | None]:
    has_rank, has_size = _EXAMINED.get(op.name, (True, True))
    if has_rank:
        yield from _ranks(op, level)
    if has_size:
        yield from (_size(type, what, level, target) for type, what in _checked(op))
    yield from (f"failed level check: {rule}" for value, most, rule in _bounds(op, level) if value > most)
    yield from (
        f"failed level check for MAX_TENSOR_LIST_SIZE: {name}" for count, name in _lists(op) if count > level.list
    )
    if isinstance(op, (ops.CondIfOp, ops.WhileLoopOp)):
        depth = _depth(op)
        yield f"failed level check: {depth} >= MAX_NESTING" if depth >= level.nesting else None


def _checked(op: Operation) -> Iterator[tuple[Type, str]]:
    """The types that are looked at, and what they are of."""
    if isinstance(op, ops.VariableOp):
        type = variable_type(op)
        if type is not None:
            yield type, "variable type"
        return
    for what, values in (("operand", op.operands), ("result", op.results)):
        yield from ((value.type, what) for value in values)


def _ranks(op: Operation, level: Level) -> Iterator[str | None]:
    if isinstance(op, ops.CondIfOp):
        yield _rank(op.condition.type, "operand", level.rank)
        return
    for type, what in _checked(op):
        is_less = isinstance(op, ops.ArgmaxOp) and what == "result"
        yield _rank(type, what, level.rank - is_less)


def _rank(type: Type, what: str, most: int) -> str | None:
    if isinstance(type, ShapedType):
        if type.shape is None:
            return "failed level check: unranked tensor"
        return f"failed level check: {what} rank(shape) <= MAX_RANK" if len(type.shape) > most else None
    rank = shape_rank(type)
    is_more = rank is not None and rank > most
    return f"failed shape type level check: '{type}' exceeds MAX_RANK" if is_more else None


def _size(type: Type, what: str, level: Level, target: Target) -> str | None:
    if not isinstance(type, ShapedType):
        return None
    if type.shape is None:
        return "failed level check: unranked tensor"
    if DYNAMIC in type.shape:
        if target.version > FIRST:
            return None
        version = "targeting TOSA specification version 1.0 or below"
        return f"failed level check: {what} shape dimension cannot be dynamic when {version}"
    element = element_type(type)
    width = element.width if isinstance(element, (IntegerType, FloatType)) else 8
    if max(1, width // 8) * prod(type.shape) <= (1 << level.size) - 1:
        return None
    return f"failed level check: {what} tensor size (in bytes) <= (1 << MAX_LOG2_SIZE - 1)"


# ---- windows, transforms and scales


def _bounds(op: Operation, level: Level) -> Iterator[tuple[int, int, str]]:
    """Numbers, the greatest that each may be, and the rule."""
    if isinstance(op, (ops.AvgPool2dOp, ops.MaxPool2dOp)):
        yield from _each(op.kernel.values, level.kernel, "kernel <= MAX_KERNEL")
        yield from _each(op.stride.values, level.stride, "stride <= MAX_STRIDE")
        yield from _each(op.pad.values, level.kernel, "pad <= MAX_KERNEL")
    elif isinstance(op, (ops.Conv2dOp, ops.Conv3dOp, ops.DepthwiseConv2dOp)):
        yield from _each(op.dilation.values, level.kernel, "dilation <= MAX_KERNEL")
        yield from _each(op.pad.values, level.kernel, "pad <= MAX_KERNEL")
        yield from _each(op.stride.values, level.stride, "stride <= MAX_STRIDE")
        weight = shape_of(op.weight.type) or ()
        kernel = weight[:2] if isinstance(op, ops.DepthwiseConv2dOp) else weight[1:-1]
        names = (("d", "KD"), ("y", "KH"), ("x", "KW"))[-len(kernel) :] if kernel else ()
        for dilation, size, (axis, name) in zip(op.dilation.values, kernel, names, strict=False):
            yield dilation * size, level.kernel, f"dilation_{axis} * {name} <= MAX_KERNEL)"
    elif isinstance(op, (ops.Fft2dOp, ops.Rfft2dOp)):
        for value in op.operands:
            _, height, width = shape_of(value.type) or (0, 0, 0)
            yield height, level.kernel, "H <= MAX_KERNEL"
            yield width, level.kernel, "W <= MAX_KERNEL"
    elif isinstance(op, ops.TransposeConv2dOp):
        _, height, width, _ = shape_of(op.weight.type) or (0, 0, 0, 0)
        yield height, level.kernel, "KH <= MAX_KERNEL"
        yield width, level.kernel, "KW <= MAX_KERNEL"
        yield from _each(op.out_pad.values, level.kernel, "pad <= MAX_KERNEL")
        yield from _each(op.stride.values, level.stride, "stride <= MAX_STRIDE")
    elif isinstance(op, ops.ResizeOp):
        scale = integers_of(op.scale, only_shapes=True) or (0, 1, 0, 1)
        for axis, (over, under) in zip("yx", (scale[:2], scale[2:]), strict=True):
            yield over // under, level.scale, f"scale_{axis}_n/scale_{axis}_d <= MAX_SCALE"


def _each(values: Iterable[int], most: int, rule: str) -> Iterator[tuple[int, int, str]]:
    return ((value, most, rule) for value in values)


# ---- lists and regions


def _lists(op: Operation) -> Iterator[tuple[int, str]]:
    """How long the lists of an operation are, and what they are called."""
    if isinstance(op, ops.ConcatOp):
        yield len(op.input1), "input1"
    elif isinstance(op, ops.ConcatShapeOp):
        yield len(op.input), "input"
    elif isinstance(op, ops.CustomOp):
        yield len(op.input_list), "input_list"
        yield len(op.output_list), "output_list"
    elif isinstance(op, (ops.CondIfOp, ops.WhileLoopOp)):
        yield len(op.input_list), "inputs"
        yield len(op.output_list), "outputs"


def _depth(op: Operation) -> int:
    """How many operations stand around one, up to its function."""
    depth = 0
    for ancestor in ancestors(op):
        depth += 1
        if isinstance(ancestor, FuncOp) or is_module(ancestor):
            break
    return depth
