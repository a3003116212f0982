"""The canonicalisation of tensors' arithmetic: transpositions and slices meet what they are of, padding goes into what
pads itself, limits that limit nothing go.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Final

from fathom.dialects.arith.elements import as_signed, as_unsigned
from fathom.dialects.tensor.canonicalization.building import cast_to
from fathom.dialects.tosa import DESCRIPTION
from fathom.dialects.tosa.values import stored_of
from fathom.ir import float_arithmetic
from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.floats import infinity, is_infinity, is_negative
from fathom.ir.operation import Value
from fathom.ir.types import DYNAMIC, I32, I64, INDEX, FloatType, IntegerType, TensorType
from fathom.irdl.cases import word
from fathom.ops import tosa as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing
from fathom.rewriting.rewriter import Rewriter

SLICE: Final = "tosa.slice"
MOST_PADDING: Final = 8192


def constant_numbers(value: Value) -> list[int] | None:
    """The integers of a constant, one for each element."""
    attribute = constant_value(value)
    if not isinstance(attribute, DenseElementsAttr) or isinstance(attribute.type.element, FloatType):
        return None
    numbers = [number for number in attribute.values if isinstance(number, int)]
    return numbers * prod(attribute.type.ranked_shape) if attribute.is_splat else numbers


def constant_shape(sizes: Sequence[int], rewriter: Rewriter) -> Value:
    """A constant of these sizes, -1 for one that is not known."""
    values = tuple(-1 if size == DYNAMIC else size for size in sizes)
    is_splat = len(set(values)) == 1
    elements = DenseElementsAttr(values[:1] if is_splat else values, TensorType((len(values),), INDEX))
    type = DESCRIPTION.types["shapeType"].make(rank=len(values))
    assert isinstance(type, DialectType), "what is described as a type is one"
    return rewriter.create("tosa.const_shape", (), [type], {"values": elements}).result


# ---- convolutions and pools


def padded(op: ops.Conv2dOp | ops.DepthwiseConv2dOp | ops.MaxPool2dOp, rewriter: Rewriter) -> Replacement:
    """What pads along height and width takes over the padding of what it gets."""
    pad = defined_by(op.input, ops.PadOp)
    around = constant_numbers(pad.padding) if pad is not None else None
    if pad is None or around is None or len(around) != 8 or any((*around[:2], *around[6:])):
        return None
    sums = tuple(more + before for more, before in zip(around[2:6], op.pad.values, strict=True))
    is_pool = isinstance(op, ops.MaxPool2dOp)
    may_pad = _pools_lowest(op, pad, sums) if is_pool else _is_zero_point(pad.pad_const, op.input_zp)
    if not may_pad or max(sums) > MOST_PADDING:
        return Failure("the padding is another")
    properties = {**op.properties, "pad": DenseArrayAttr(I64, sums)}
    return rewriter.create(op.name, [pad.input1, *op.operands[1:]], [op.result.type], properties)


def _single(value: Value) -> tuple[int, FloatType | IntegerType] | None:
    """The only element of a constant, with its type."""
    attribute = constant_value(value)
    if not isinstance(attribute, DenseElementsAttr) or prod(attribute.type.ranked_shape) != 1:
        return None
    number, element = attribute.values[0], attribute.type.element
    return (number, element) if isinstance(number, int) and isinstance(element, (FloatType, IntegerType)) else None


def _pools_lowest(op: ops.MaxPool2dOp, pad: ops.PadOp, around: Sequence[int]) -> bool:
    """Whether what is padded is never the greatest, and each window has more than that."""
    height, width = op.kernel.values
    if max(around[:2]) >= height or max(around[2:]) >= width:
        return False
    match _single(pad.pad_const):
        case bits, FloatType(name):
            # The pattern before that of the infinity is the number of the greatest amount.
            return bits == infinity(name, negative=True) - 1
        case value, IntegerType(width, signedness):
            return value == (0 if signedness == "u" else -(1 << (width - 1)))
        case _:
            return False


def _is_zero_point(padding: Value, zero_point: Value) -> bool:
    """Whether what is padded counts as zero."""
    match _single(padding):
        case bits, FloatType(name):
            return float_arithmetic.is_zero(bits, name)
        case value, IntegerType(width):
            numbers = constant_numbers(zero_point)
            return bool(numbers) and as_signed(numbers[0], width) == as_signed(value, width)
        case _:
            return False


def pool_of_one(op: ops.MaxPool2dOp, rewriter: Rewriter) -> Replacement:
    """The greatest of one is that."""
    for type in (op.input.type, op.result.type):
        if not isinstance(type, TensorType) or not type.has_static_shape or type.ranked_shape[1:3] != (1, 1):
            return None
    return op.input


# ---- concatenations, choices and transpositions


def one_part(op: ops.ConcatOp, rewriter: Rewriter) -> Replacement:
    """One part is the whole."""
    if len(op.operands) != 1:
        return None
    return cast_to(op.input1[0], op.result.type, rewriter)


def choice_by_not(op: ops.SelectOp, rewriter: Rewriter) -> Replacement:
    """A choice by what is negated is the other one."""
    negation = defined_by(op.input1, ops.LogicalNotOp)
    if negation is None:
        return None
    rewriter.modify(op, lambda: op.set_operands([negation.input1, op.input3, op.input2]))
    return op


def transposed_twice(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """Two transpositions are one."""
    inner, order = defined_by(op.input1, ops.TransposeOp), op.perms.values
    if inner is None or not order or len(order) != len(inner.perms.values):
        return None
    properties = {"perms": DenseArrayAttr(I32, tuple(inner.perms.values[place] for place in order))}
    return rewriter.create("tosa.transpose", [inner.input1], [op.result.type], properties)


def transposed_ones(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """Where only sizes of one change places, elements stay in their order."""
    if any(isinstance(neighbour, ops.TransposeOp) for neighbour in (op.input1.defining_op, *op.result.uses)):
        return Failure("two transpositions are made one first")
    type, order = op.input1.type, op.perms.values
    if not isinstance(type, TensorType) or type.shape is None or type.shape.count(DYNAMIC) > 1:
        return None
    moved = [place for place in order if type.ranked_shape[place] != 1]
    if any(before > after for before, after in pairwise(moved)):
        return Failure("elements change places")
    sizes = constant_shape([type.ranked_shape[place] for place in order], rewriter)
    return rewriter.create("tosa.reshape", [op.input1, sizes], [op.result.type])


# ---- slices


def slice_of_part(op: ops.SliceOp, rewriter: Rewriter) -> Replacement:
    """A slice that lies in one part of a concatenation is one of that part."""
    concat, start, size = defined_by(op.input1, ops.ConcatOp), constant_numbers(op.start), constant_numbers(op.size)
    axis = concat.axis if concat is not None else None
    if concat is None or start is None or size is None or not isinstance(axis, IntegerAttr):
        return None
    if not isinstance(concat.result.type, TensorType) or not concat.result.type.has_static_shape:
        return None
    along = axis.value
    for part in concat.operands:
        if not isinstance(part.type, TensorType) or not part.type.has_static_shape:
            return None
        extent = part.type.ranked_shape[along]
        if start[along] >= 0 and start[along] + size[along] <= extent:
            places = [constant_shape(numbers, rewriter) for numbers in (start, size)]
            return rewriter.create(SLICE, [part, *places], [op.result.type])
        start[along] -= extent
    return Failure("it lies in no part")


def slice_of_padded(op: ops.SliceOp, rewriter: Rewriter) -> Replacement:
    """What is padded and then sliced away need not be padded."""
    pad, start, size = defined_by(op.input1, ops.PadOp), constant_numbers(op.start), constant_numbers(op.size)
    around = constant_numbers(pad.padding) if pad is not None else None
    if pad is None or around is None or start is None or size is None or sum(pad.result.uses.values()) != 1:
        return None
    type = pad.input1.type
    if not isinstance(type, TensorType) or type.shape is None or not isinstance(pad.result.type, TensorType):
        return None
    starts, paddings, shape = list(start), list(around), [DYNAMIC] * len(type.shape)
    for axis, extent in enumerate(type.shape):
        low, high = around[2 * axis : 2 * axis + 2]
        end = start[axis] + size[axis]
        if extent == DYNAMIC:
            if start[axis] != 0 or size[axis] != -1:
                return Failure("a size that is not known is sliced")
            continue
        if start[axis] < 0 or end > low + extent + high:
            return Failure("it is out of bounds")
        starts[axis] = max(start[axis] - low, 0)
        paddings[2 * axis : 2 * axis + 2] = max(low - start[axis], 0), max(end - (low + extent), 0)
        shape[axis] = extent + sum(paddings[2 * axis : 2 * axis + 2])
    if starts == start and paddings == around:
        return Failure("nothing would be padded that is not")
    less = constant_shape(paddings, rewriter)
    with rewriter.standing_in(pad):
        padded_type = TensorType(tuple(shape), type.element)
        made = rewriter.create("tosa.pad", [pad.input1, less, pad.pad_const], [padded_type]).result
    return rewriter.create(SLICE, [made, constant_shape(starts, rewriter), op.size], [op.result.type])


def known_size(op: ops.SliceOp, rewriter: Rewriter) -> Replacement:
    """A size that the result's type says stands as a number."""
    size, type = constant_numbers(op.size), op.result.type
    if size is None or not isinstance(type, TensorType) or type.shape is None:
        return None
    known = [
        extent if number == -1 and extent != DYNAMIC else number
        for number, extent in zip(size, type.shape, strict=True)
    ]
    if known == size:
        return None
    sizes = constant_shape(known, rewriter)
    return rewriter.create(SLICE, [*op.operands[:2], sizes], [type])


# ---- limits


_MODE: Final = "nan_mode"


def limits_nothing(op: ops.ClampOp, rewriter: Rewriter) -> Replacement:
    """Limits that no number of the type exceeds."""
    type, low, high = op.input.type, op.min_val, op.max_val
    if not isinstance(type, TensorType) or type.shape is None:
        return None
    match low, high, type.element:
        case FloatAttr(), FloatAttr(), FloatType(name):
            is_wide = is_infinity(low.bits, name) and is_negative(low.bits, name) and is_infinity(high.bits, name)
        case IntegerAttr(), IntegerAttr(), IntegerType(width, signedness) if signedness == "u" or width == 1:
            is_wide = not as_unsigned(low.value, width) and as_unsigned(high.value, width) == (1 << width) - 1
        case IntegerAttr(), IntegerAttr(), IntegerType(width):
            is_wide = low.value <= -(1 << (width - 1)) and high.value >= (1 << (width - 1)) - 1
        case _:
            is_wide = False
    return op.operands if is_wide else None


def limited_twice(op: ops.ClampOp, rewriter: Rewriter) -> Replacement:
    """Limits that have something in common are one. What is no number goes through where both let it."""
    inner = defined_by(op.input, ops.ClampOp)
    if inner is None:
        return None
    lets_through = [word(clamp, _MODE) in ("", "PROPAGATE") for clamp in (op, inner)]
    if lets_through == [False, True]:
        return Failure("what is no number is treated otherwise")
    element, low, high = stored_of(op.input.type), op.min_val, op.max_val
    if not _is_less(low, inner.max_val, element) or not _is_less(inner.min_val, high, element):
        return Failure("the limits have nothing in common")
    properties = {
        **op.properties,
        "min_val": inner.min_val if _is_less(low, inner.min_val, element) else low,
        "max_val": inner.max_val if _is_less(inner.max_val, high, element) else high,
    }
    mode = (op if lets_through[0] == lets_through[1] else inner).properties.get(_MODE)
    if mode is not None:
        properties[_MODE] = mode
    return rewriter.create(op.name, [inner.input], [op.result.type], properties)


def _is_less(one: Attribute, other: Attribute, element: object) -> bool:
    match one, other, element:
        case FloatAttr(), FloatAttr(), FloatType(name):
            return float_arithmetic.compare(one.bits, other.bits, name) == -1
        case IntegerAttr(), IntegerAttr(), IntegerType(width, signedness):
            view = as_unsigned if signedness == "u" else as_signed
            return view(one.value, width) < view(other.value, width)
        case _:
            return False


CANONICALIZATION: Final = (
    replacing("tosa.clamp", limits_nothing, name="ClampIsNoOp"),
    replacing("tosa.clamp", limited_twice, name="ClampClampOptimization"),
    replacing("tosa.concat", one_part, name="ConcatOptimization"),
    replacing("tosa.conv2d", padded, name="FoldPadToTensorOp"),
    replacing("tosa.depthwise_conv2d", padded, name="FoldPadToTensorOp"),
    replacing("tosa.max_pool2d", pool_of_one, name="MaxPool2dIsNoOp"),
    replacing("tosa.max_pool2d", padded, name="FoldPadToTensorOp"),
    replacing("tosa.select", choice_by_not, name="canonicalize"),
    replacing(SLICE, slice_of_part, name="ConcatSliceOptimization"),
    replacing(SLICE, slice_of_padded, name="PadSliceOptimization"),
    replacing(SLICE, known_size, name="SliceDynamicSizeCanonicalization"),
    replacing("tosa.transpose", transposed_twice, name="ConsolidateTransposeOptimization"),
    replacing("tosa.transpose", transposed_ones, name="TransposeIsReshape"),
)
