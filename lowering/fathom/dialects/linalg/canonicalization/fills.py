"""The canonicalisation of what is done to a tensor that holds one value everywhere.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.tensor.canonicalization.building import cast_to, create_like, sizes_of
from fathom.dialects.tensor.canonicalization.casts import concatenated
from fathom.dialects.tensor.canonicalization.pads import padding_value
from fathom.dialects.tensor.casts import ranked
from fathom.ir.affine import AffineDim, AffineSymbol, add
from fathom.ir.attributes import index_attr
from fathom.ir.operation import Operation, Value, types_of
from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, INDEX, TensorType, element_type
from fathom.irdl.index_lists import separated
from fathom.irdl.slices import LISTS, mixed_list
from fathom.ops import linalg as ops
from fathom.ops.tensor import ConcatOp, ExtractOp, InsertSliceOp, PadOp
from fathom.rewriting.folding import constant_value, create_or_fold, integer_constant
from fathom.rewriting.pattern import Failure, Replacement, defined_by
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.slicing import create_slice

SUM_OF_THREE: Final = add(add(AffineDim(0), AffineDim(1)), AffineDim(2))
SUM: Final = add(AffineSymbol(0), AffineSymbol(1))


def _filled(value: Value) -> ops.FillOp | None:
    return defined_by(value, ops.FillOp)


def _fill(rewriter: Rewriter, like: ops.FillOp, into: Value) -> Operation:
    """Fills something else as an operation does."""
    return create_like(rewriter, like, [like.inputs[0], into], [into.type] if like.results else [])


def concat_of_fills(op: ConcatOp, rewriter: Rewriter) -> Replacement:
    """What is concatenated of tensors filled with one value is filled with it."""
    filled = [_filled(operand) for operand in op.operands]
    fills = [fill for fill in filled if fill is not None]
    if not fills or len(fills) != len(filled):
        return None
    value = fills[0].operands[0]
    if any(not _is_same(fill.inputs[0], value) for fill in fills):
        return Failure("the values differ")
    outputs = [fill.outputs[0] for fill in fills]
    inferred = concatenated(op, outputs)
    if inferred is None or inferred != op.result.type:
        return None
    whole = rewriter.create(op.name, outputs, [inferred], {"dim": op.dim}).result
    return _fill(rewriter, fills[0], whole)


def _is_same(one: Value, other: Value) -> bool:
    constant = constant_value(one)
    return one is other or (constant is not None and constant == constant_value(other))


def copy_of_fill(op: ops.CopyOp, rewriter: Rewriter) -> Replacement:
    """A copy of what is filled fills; what is copied over what is filled, over what was there before."""
    source, target = op.inputs[0], op.outputs[0]
    fill = _filled(source)
    before = _filled(target)
    if fill is not None and element_type(fill.outputs[0].type) == element_type(target.type):
        made = create_like(rewriter, fill, [fill.inputs[0], target], types_of(op.results))
    elif before is not None:
        made = create_like(rewriter, op, [source, before.outputs[0]], types_of(op.results))
    else:
        return None
    return made


def element_of_fill(op: ExtractOp, rewriter: Rewriter) -> Replacement:
    """The value."""
    fill = _filled(op.tensor)
    return fill.inputs[0] if fill is not None else None


def packed_fill(op: ops.PackOp, rewriter: Rewriter) -> Replacement:
    """What is packed is filled in its place, if nothing else uses that."""
    fill, dest = _filled(op.source), op.dest
    if fill is None or sum(dest.uses.values()) != 1:
        return None
    padding = op.padding_value
    if padding is not None and padding is not fill.inputs[0]:
        number = integer_constant(padding)
        if number is None or number != integer_constant(fill.inputs[0]):
            return Failure("the padding is another value")
    return _fill(rewriter, fill, dest)


def padded_fill(op: PadOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4x?xf32>) -> tensor<4x?xf32>
        %r = tensor.pad %0 low[1, %i] high[1, 0] { … tensor.yield %f : f32 } : tensor<4x?xf32> to tensor<6x?xf32>
    becomes
        %0 = tensor.dim %t, %c1 : tensor<4x?xf32>
        %1 = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%0, %i]
        %2 = tensor.empty(%1) : tensor<6x?xf32>
        %r = linalg.fill ins(%f : f32) outs(%2 : tensor<6x?xf32>) -> tensor<6x?xf32>
    """
    fill, type = _filled(op.source), ranked(op.result.type)
    if fill is None or type is None or padding_value(op) is not fill.inputs[0]:
        return None
    low, high = mixed_list(op, "low"), mixed_list(op, "high")
    sizes: list[int | Value] = []
    for dim, size in enumerate(type.ranked_shape):
        if size != DYNAMIC:
            sizes.append(size)
            continue
        place = rewriter.constant(index_attr(dim), INDEX)
        before = create_or_fold(rewriter, "tensor.dim", [op.source, place], INDEX)
        sizes.append(apply_folded(rewriter, SUM_OF_THREE, [before, low[dim], high[dim]]))
    values, numbers = separated(sizes)
    empty = rewriter.create("tensor.empty", values, [TensorType(numbers.values, type.element)]).result
    with rewriter.standing_in(fill):
        return cast_to(_fill(rewriter, fill, empty).result, type, rewriter)


def reshaped_fill(op: Operation, rewriter: Rewriter) -> Replacement:
    """What is expanded or collapsed is filled afterwards."""
    fill = _filled(op.operands[0])
    if fill is None or not fill.results:
        return None
    with rewriter.standing_in(fill):
        given = [fill.outputs[0], *op.operands[1:]]
        into = rewriter.create(op.name, given, [op.result.type], op.properties).result
    return _fill(rewriter, fill, into)


def padding_over_fill(op: InsertSliceOp, rewriter: Rewriter) -> Replacement:
    """What is padded with the value of the tensor into which it is put need not be padded."""
    pad = defined_by(op.source, PadOp)
    type, part = ranked(op.result.type), ranked(op.source.type)
    if pad is None or type is None or part is None or len(type.ranked_shape) != len(part.ranked_shape):
        return None
    dest = op.dest
    while (before := defined_by(dest, InsertSliceOp)) is not None:
        inner = ranked(before.source.type)
        if inner is None or len(inner.ranked_shape) != len(type.ranked_shape):
            return Failure("the rank is reduced")
        if not _are_apart(before, op):
            break
        dest = before.dest
    fill, source = _filled(dest), ranked(pad.source.type)
    if fill is None or source is None or padding_value(pad) is not fill.inputs[0]:
        return None
    pairs = zip(mixed_list(pad, "low"), mixed_list(op, "offsets"), strict=True)
    offsets = [apply_folded(rewriter, SUM, pair) for pair in pairs]
    lists = [offsets, sizes_of(pad.source, rewriter), mixed_list(op, "strides")]
    return create_slice(rewriter, op.name, [pad.source, op.dest], lists, [type])


def _are_apart(one: Operation, other: Operation) -> bool:
    """Whether two slices have nothing in common in a dimension in which both are known."""
    slices = [zip(*(numbers_property(op, f"static_{name}") for name in LISTS), strict=True) for op in (one, other)]
    for first, second in zip(*slices, strict=True):
        if DYNAMIC in (*first, *second):
            continue
        (start, size, stride), (begin, length, step) = first, second
        if start + (size - 1) * stride < begin or begin + (length - 1) * step < start:
            return True
    return False


def transposed_fill(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """What is transposed is filled in its place."""
    fill = _filled(op.input)
    return create_like(rewriter, fill, [fill.inputs[0], op.init], types_of(op.results)) if fill is not None else None
