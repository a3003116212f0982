"""Slices of vectors as shuffles of vectors of one dimension, or as extractions and insertions of rows.

Source of the rules: *'vector' Dialect*, `vector.extract_strided_slice` and `vector.insert_strided_slice`, and what
mlir-opt 22 makes of them.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import rank, vector_type
from fathom.ir.property_values import numbers_of
from fathom.ir.types import VectorType
from fathom.ops.vector import ExtractStridedSliceOp, InsertStridedSliceOp
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import extract, extract_slice, insert, insert_slice, repeated_zero, shuffle
from fathom.rewriting.allowance import too_many_elements, too_many_operations
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

OTHER: Final = Failure("it has another number of dimensions")


def insert_in_row(op: InsertStridedSliceOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A slice of fewer dimensions than the vector is put into the part of as many."""
    value, dest = op.valueToStore, op.dest
    offsets = numbers_of(op.offsets)
    lead = rank(dest.type) - rank(value.type)
    if not offsets or not lead:
        return OTHER
    part = extract(rewriter, dest, *offsets[:lead])
    whole = insert_slice(rewriter, value, part, offsets[lead:])
    rewriter.replace(op, [insert(rewriter, whole, dest, *offsets[:lead])])
    return None


def extract_rows(op: ExtractStridedSliceOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A slice in several dimensions is put together of slices of rows."""
    (source,) = op.operands
    offsets, sizes = numbers_of(op.offsets), numbers_of(op.sizes)
    if len(offsets) <= 1:
        return OTHER
    if (refused := too_many_operations(op, 3 * sizes[0], 3 * prod(sizes[:-1]))) is not None:
        return refused
    made = repeated_zero(rewriter, vector_type(op.result))
    for number in range(sizes[0]):
        row = extract(rewriter, source, offsets[0] + number)
        made = insert(rewriter, extract_slice(rewriter, row, offsets[1:], sizes[1:]), made, number)
    rewriter.replace(op, [made])
    return None


def insert_by_shuffle(op: InsertStridedSliceOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.insert_strided_slice %a, %b {offsets = [1], strides = [1]} : vector<2xf32> into vector<4xf32>
    ->
        %1 = vector.shuffle %a, %a [0, 1, 0, 0]
        %0 = vector.shuffle %1, %b [4, 0, 1, 7]

    In several dimensions, a row is put into a row.
    """
    value, dest = op.valueToStore, op.dest
    source, target = vector_type(value), vector_type(dest)
    offsets = numbers_of(op.offsets)
    dimensions = rank(source)
    if (source.scalable or target.scalable) and dimensions == 1:
        return Failure("scalable vectors are not shuffled")
    if not offsets or rank(target) != dimensions:
        return OTHER
    if source == target:
        rewriter.replace(op, [value])
        return None
    offset, size, extent = offsets[0], source.ranked_shape[0], target.ranked_shape[0]
    refused = too_many_elements(op, extent) if dimensions == 1 else too_many_operations(op, 4 * size)
    if refused is not None:
        return refused
    if dimensions == 1:
        scaled = shuffle(rewriter, value, value, [*range(size), *[0] * (extent - size)])
        mask = [i - offset if offset <= i < offset + size else extent + i for i in range(extent)]
        rewriter.replace(op, [shuffle(rewriter, scaled, dest, mask)])
        return None
    made = dest
    for number in range(size):
        row = extract(rewriter, value, number)
        if isinstance(row.type, VectorType):
            row = insert_slice(rewriter, row, extract(rewriter, dest, offset + number), offsets[1:])
        made = insert(rewriter, row, made, offset + number)
    rewriter.replace(op, [made])
    return None


def extract_by_shuffle(op: ExtractStridedSliceOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A slice in one dimension is a shuffle: of elements, or of what stands in their place."""
    (source,) = op.operands
    if vector_type(op.result).scalable or vector_type(source).scalable:
        return Failure("scalable vectors are not shuffled")
    offsets, sizes = numbers_of(op.offsets), numbers_of(op.sizes)
    if len(offsets) != 1:
        return OTHER
    if (refused := too_many_elements(op, sizes[0])) is not None:
        return refused
    rewriter.replace(op, [shuffle(rewriter, source, source, range(offsets[0], offsets[0] + sizes[0]))])
    return None


def extract_one_by_one(op: ExtractStridedSliceOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A slice of scalable vectors in one dimension, which are not shuffled."""
    (source,) = op.operands
    type = vector_type(op.result)
    if not type.scalable and not vector_type(source).scalable:
        return Failure("vectors of fixed length are shuffled")
    offsets, sizes = numbers_of(op.offsets), numbers_of(op.sizes)
    if len(offsets) != 1:
        return OTHER
    if (refused := too_many_operations(op, 2 * sizes[0])) is not None:
        return refused
    elements = [extract(rewriter, source, offsets[0] + number) for number in range(sizes[0])]
    made = constant(rewriter, 0, type)
    for number, element in enumerate(elements):
        made = insert(rewriter, element, made, number)
    rewriter.replace(op, [made])
    return None


SLICES: Final = (
    Pattern("vector.insert_strided_slice", insert_in_row, name="DecomposeDifferentRankInsertStridedSlice"),
    Pattern("vector.extract_strided_slice", extract_rows, name="DecomposeNDExtractStridedSlice"),
    Pattern("vector.insert_strided_slice", insert_by_shuffle, name="ConvertSameRankInsertStridedSliceIntoShuffle"),
    Pattern("vector.extract_strided_slice", extract_by_shuffle, name="Convert1DExtractStridedSliceIntoShuffle"),
    Pattern(
        "vector.extract_strided_slice", extract_one_by_one, name="Convert1DExtractStridedSliceIntoExtractInsertChain"
    ),
)
