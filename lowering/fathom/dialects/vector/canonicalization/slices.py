"""The canonicalisation of strided slices of vectors: of masks, of what repeats, of constants; and contiguous ones.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import dense
from fathom.dialects.vector.canonicalization.sources import numbers, of_one_scalar, positions, repeated, sizes
from fathom.dialects.vector.common import count_of, flags, indices_of, number_of, rank, vector, vector_of, vector_type
from fathom.dialects.vector.folds import MOST_FOLDED
from fathom.ir.attributes import Attribute, DenseElementsAttr, IntegerAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import INDEX
from fathom.ops import vector as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


# ---- a slice is put in


def same_put_in(op: ops.InsertStridedSliceOp, rewriter: Rewriter) -> Replacement:
    """What holds one scalar everywhere, put into what holds that scalar, changes nothing."""
    scalar = repeated(op.valueToStore)
    if scalar is None or repeated(op.dest) is not scalar:
        return None
    return op.dest


def put_back(op: ops.InsertStridedSliceOp, rewriter: Rewriter) -> Replacement:
    """A slice that is put in where it was taken out changes nothing."""
    slice = defined_by(op.valueToStore, ops.ExtractStridedSliceOp)
    if slice is None or slice.source is not op.dest:
        return None
    if (slice.strides, slice.offsets) != (op.strides, op.offsets):
        return Failure("it is put in at another place")
    return op.dest


def constant_put_in(op: ops.InsertStridedSliceOp, rewriter: Rewriter) -> Replacement:
    """A constant that is put into a constant makes another one."""
    part, whole = (constant_value(operand) for operand in op.operands)
    source, type = vector_type(op.valueToStore), vector_type(op.dest)
    if not isinstance(part, DenseElementsAttr) or not isinstance(whole, DenseElementsAttr) or any(type.scalable):
        return None
    if count_of(type) > MOST_FOLDED and sum(op.dest.uses.values()) != 1:
        return Failure("the constant is large, and used elsewhere")
    values = [number for number in whole.values if isinstance(number, int)] * (count_of(type) if whole.is_splat else 1)
    given = [number for number in part.values if isinstance(number, int)] * (count_of(source) if part.is_splat else 1)
    if len(values) != count_of(type) or len(given) != count_of(source):
        return None
    offsets, lead = numbers_of(op.offsets), rank(type) - rank(source)
    for number, value in enumerate(given):
        place = [0] * lead + indices_of(number, source.ranked_shape)
        values[number_of([index + start for index, start in zip(place, offsets, strict=True)], type.ranked_shape)] = (
            value
        )
    return rewriter.create("arith.constant", (), [type], {"value": dense(values, type)})


# ---- a slice is taken out


def slice_of_mask(op: ops.ExtractStridedSliceOp, rewriter: Rewriter) -> Replacement:
    """
        %m = vector.create_mask %n : vector<16xi1>
        %r = vector.extract_strided_slice %m {offsets = [4], sizes = [8], strides = [1]} : …
    becomes
        %0 = arith.subi %n, %c4 : index
        %r = vector.create_mask %0 : vector<8xi1>
    """
    mask = defined_by(op.source, ops.CreateMaskOp)
    if mask is None:
        return None
    moved: list[Value] = []
    for size, offset in zip(mask.operands, numbers_of(op.offsets), strict=False):
        start = rewriter.constant(IntegerAttr(offset, INDEX), INDEX)
        moved.append(rewriter.create("arith.subi", [size, start], [INDEX]).result)
    return rewriter.create(mask.name, [*moved, *mask.operands[len(moved) :]], [op.result.type])


def slice_of_constant_mask(op: ops.ExtractStridedSliceOp, rewriter: Rewriter) -> Replacement:
    """What of a mask of known sizes is in a slice."""
    mask = defined_by(op.source, ops.ConstantMaskOp)
    if mask is None:
        return None
    whole = numbers_of(mask.mask_dim_sizes)
    given = zip(whole, numbers_of(op.offsets), numbers_of(op.sizes), strict=False)
    lengths = [max(0, min(offset + size, extent) - offset) for extent, offset, size in given]
    lengths += whole[len(lengths) :]
    if 0 in lengths:
        lengths = [0] * len(lengths)
    return rewriter.create(mask.name, (), [op.result.type], sizes(lengths))


def slice_of_repetition(op: ops.ExtractStridedSliceOp, rewriter: Rewriter) -> Replacement:
    """A slice of what is repeated is repeated, of the slice of it where it was not repeated."""
    inner, type = defined_by(op.source, ops.BroadcastOp), vector_type(op.result)
    if inner is None:
        return None
    source = vector(inner.source.type)
    shape = source.ranked_shape if source is not None else ()
    lead = rank(type) - len(shape)
    value = inner.source
    if source is not None and any(
        extent not in (1, kept) for extent, kept in zip(shape, type.ranked_shape[lead:], strict=True)
    ):
        offsets, lengths, strides = (numbers_of(array)[lead:] for array in (op.offsets, op.sizes, op.strides))
        for dim, extent in enumerate(shape[: len(offsets)]):
            if extent == 1:
                offsets[dim], lengths[dim] = 0, 1
        part = vector_of([*lengths, *shape[len(lengths) :]], source.element, flags(source))
        properties: dict[str, Attribute] = {
            "offsets": numbers(offsets),
            "sizes": numbers(lengths),
            "strides": numbers(strides),
        }
        value = rewriter.create(op.name, [value], [part], properties).result
    return rewriter.create(inner.name, [value], [type])


def contiguous_slice(op: ops.ExtractStridedSliceOp, rewriter: Rewriter) -> Replacement:
    """
        %r = vector.extract_strided_slice %v {offsets = [3, 0], sizes = [1, 8], strides = [1, 1]}
               : vector<4x8xi8> to vector<1x8xi8>
    becomes
        %0 = vector.extract %v[3] : vector<8xi8> from vector<4x8xi8>
        %r = vector.shape_cast %0 : vector<8xi8> to vector<1x8xi8>
    """
    source = vector_type(op.source)
    if any(source.scalable) or not source.shape:
        return None
    lengths = numbers_of(op.sizes)
    count = len(lengths)
    while count and lengths[count - 1] == source.ranked_shape[count - 1]:
        count -= 1
    if count == 0 or count == rank(source) == len(lengths):
        return Failure("the last dimension is not there as a whole")
    if any(length != 1 for length in lengths[:count]):
        return Failure("it is not contiguous")
    while count < len(lengths) - 1 and lengths[count] == 1:
        count += 1
    part = vector_of(source.ranked_shape[count:], source.element)
    offsets = numbers_of(op.offsets)[:count]
    row = rewriter.create("vector.extract", [op.source], [part], positions(offsets)).result
    return rewriter.create("vector.shape_cast", [row], [op.result.type])


PATTERNS: Final = (
    replacing("vector.insert_strided_slice", same_put_in, name="FoldInsertStridedSliceSplat"),
    replacing("vector.insert_strided_slice", put_back, name="FoldInsertStridedSliceOfExtract"),
    replacing("vector.insert_strided_slice", constant_put_in, name="InsertStridedSliceConstantFolder"),
    replacing("vector.extract_strided_slice", slice_of_mask, name="StridedSliceCreateMaskFolder"),
    replacing("vector.extract_strided_slice", slice_of_constant_mask, name="StridedSliceConstantMaskFolder"),
    replacing("vector.extract_strided_slice", slice_of_repetition, name="StridedSliceBroadcast"),
    replacing("vector.extract_strided_slice", of_one_scalar, name="StridedSliceSplat"),
    replacing("vector.extract_strided_slice", contiguous_slice, name="ContiguousExtractStridedSliceToExtract"),
)
