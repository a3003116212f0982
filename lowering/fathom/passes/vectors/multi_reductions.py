"""`vector.multi_reduction` in steps: to one dimension that is reduced and one that is not, then row by row.

Source of the rules: *'vector' Dialect*, `vector.multi_reduction`, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, kind_of, rank, vector_of, vector_type
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.property_values import numbers_of
from fathom.ir.types import I64, VectorType
from fathom.ops.vector import MaskOp, MultiReductionOp
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import SCALABLE, broadcast, extract, insert, shape_cast, transpose
from fathom.passes.vectors.combining import combined
from fathom.passes.vectors.masking import MaskableRewrite, mask_of, maskable, under_mask
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

ROOT: Final = "vector.multi_reduction"

IN_PLACE: Final = Failure("the dimensions that are reduced stand where they should")
OTHER: Final = Failure("it has another number of dimensions, or others are reduced")


def multi_reductions(*, reduced_inside: bool) -> list[Pattern]:
    """The patterns, with which the last dimensions are those that are reduced, or the first."""
    return [
        maskable("InnerOuterDimReductionConversion", ROOT, _in_order(reduced_inside)),
        maskable("ReduceMultiDimReductionRank", ROOT, _flattened(reduced_inside)),
        maskable("OneDimMultiReductionToTwoDim", ROOT, _of_one_dimension),
        maskable("TwoDimMultiReductionToReduction", ROOT, _rows_reduced)
        if reduced_inside
        else maskable("TwoDimMultiReductionToElementWise", ROOT, _rows_combined),
    ]


def _reduced(op: MultiReductionOp) -> tuple[list[int], list[int]]:
    """The dimensions that are reduced, in the order in which they are stated, and the others."""
    dims = numbers_of(op.reduction_dims)
    return dims, [dim for dim in range(rank(op.source.type)) if dim not in dims]


def _reduce(rewriter: Rewriter, op: MultiReductionOp, source: Value, acc: Value, dims: Sequence[int]) -> Operation:
    """The same reduction of another vector."""
    properties = {"kind": op.kind, "reduction_dims": DenseArrayAttr(I64, tuple(dims))}
    return rewriter.create(ROOT, [source, acc], [acc.type], properties)


def _in_order(reduced_inside: bool) -> MaskableRewrite:
    def rewrite(op: MultiReductionOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
        """
            %0 = vector.multi_reduction <mul>, %v, %acc [0] : vector<2x4xf32> to vector<4xf32>
        ->
            %1 = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
            %0 = vector.multi_reduction <mul>, %1, %acc [1] : vector<4x2xf32> to vector<4xf32>
        """
        reduced, kept = _reduced(op)
        first = 0 if reduced_inside else len(reduced)
        if not kept or kept == list(range(first, first + len(kept))):
            return IN_PLACE
        order = [*kept, *reduced] if reduced_inside else [*reduced, *kept]
        mask = mask_of(masking)
        if mask is not None:
            mask = transpose(rewriter, mask, order)
        source = transpose(rewriter, op.source, order)
        start = len(kept) if reduced_inside else 0
        dims = range(start, start + len(reduced))
        return under_mask(rewriter, _reduce(rewriter, op, source, op.acc, dims), mask)

    return rewrite


def _flattened(reduced_inside: bool) -> MaskableRewrite:
    def rewrite(op: MultiReductionOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
        """
            %0 = vector.multi_reduction <mul>, %v, %acc [1, 2] : vector<2x4x8xf32> to vector<2xf32>
        ->
            %1 = vector.shape_cast %v : vector<2x4x8xf32> to vector<2x32xf32>
            %2 = vector.shape_cast %acc : vector<2xf32> to vector<2xf32>
            %3 = vector.multi_reduction <mul>, %1, %2 [1] : vector<2x32xf32> to vector<2xf32>
            %0 = vector.shape_cast %3 : vector<2xf32> to vector<2xf32>
        """
        type = vector_type(op.source)
        reduced, kept = _reduced(op)
        if rank(type) < 2 or (rank(type) == 2 and len(kept) == 1):
            return OTHER
        if sum(flags(type)) > 1:
            return SCALABLE
        first = 0 if reduced_inside else len(reduced)
        if kept != list(range(first, first + len(kept))):
            return OTHER
        groups = [group for group in ((kept, reduced) if reduced_inside else (reduced, kept)) if group]
        shape = [prod(type.ranked_shape[dim] for dim in group) for group in groups]
        scalable = [any(flags(type)[dim] for dim in group) for group in groups]
        mask, acc = mask_of(masking), op.acc
        if mask is not None:
            mask = shape_cast(rewriter, mask, vector_of(shape, vector_type(mask).element, scalable))
        source = shape_cast(rewriter, op.source, vector_of(shape, type.element, scalable))
        if kept:
            place = groups.index(kept)
            flat = vector_of(shape[place : place + 1], type.element, scalable[place : place + 1])
            acc = shape_cast(rewriter, acc, flat)
        dims = [groups.index(reduced)] if reduced else []
        made = under_mask(rewriter, _reduce(rewriter, op, source, acc, dims), mask)
        if not kept:
            return made
        sizes = [type.ranked_shape[dim] for dim in kept]
        return shape_cast(rewriter, made, vector_of(sizes, type.element, [flags(type)[dim] for dim in kept]))

    return rewrite


def _of_one_dimension(op: MultiReductionOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """
        %0 = vector.multi_reduction <mul>, %v, %acc [0] : vector<4xf32> to f32
    ->
        %1 = vector.shape_cast %v : vector<4xf32> to vector<1x4xf32>
        %2 = vector.broadcast %acc : f32 to vector<1xf32>
        %3 = vector.multi_reduction <mul>, %1, %2 [1] : vector<1x4xf32> to vector<1xf32>
        %0 = vector.extract %3[0] : f32 from vector<1xf32>
    """
    type = vector_type(op.source)
    acc = op.acc
    if rank(type) != 1 or isinstance(acc.type, VectorType):
        return OTHER
    row = vector_of([1, *type.ranked_shape], type.element, [False, *flags(type)])
    source = shape_cast(rewriter, op.source, row)
    acc = broadcast(rewriter, acc, vector_of([1], type.element))
    mask = mask_of(masking)
    if mask is not None:
        mask = broadcast(rewriter, mask, vector_of(row.ranked_shape, vector_type(mask).element, flags(row)))
    return extract(rewriter, under_mask(rewriter, _reduce(rewriter, op, source, acc, [1]), mask), 0)


def _count_of_rows(op: MultiReductionOp, reduced: int) -> int | Failure:
    """How many rows the vector has; a failure where it has not two dimensions of which `reduced` is reduced."""
    type = vector_type(op.source)
    if rank(type) != 2 or numbers_of(op.reduction_dims) != [reduced]:
        return OTHER
    if flags(type)[0]:
        return SCALABLE
    count = type.ranked_shape[0]
    return too_many_operations(op, 3 * count) or count


def _rows_combined(op: MultiReductionOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """The rows of what is reduced in its first dimension, combined by arithmetic."""
    count = _count_of_rows(op, 0)
    if isinstance(count, Failure):
        return count
    source, made, mask = op.source, op.acc, mask_of(masking)
    kind = kind_of(op.kind)
    for number in range(count):
        row = extract(rewriter, source, number)
        part_of_mask = extract(rewriter, mask, number) if mask is not None else None
        value = combined(rewriter, kind, row, made, part_of_mask)
        if value is None:
            return Failure("elements of this type are not combined in this way")
        made = value
    return made


def _rows_reduced(op: MultiReductionOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """A `vector.reduction` of each row of what is reduced in its second dimension."""
    count = _count_of_rows(op, 1)
    if isinstance(count, Failure):
        return count
    source, acc, mask = op.source, op.acc, mask_of(masking)
    element = vector_type(source).element
    made = constant(rewriter, 0, op.result.type)
    for number in range(count):
        parts = [extract(rewriter, source, number), extract(rewriter, acc, number)]
        reduced = rewriter.create("vector.reduction", parts, [element], {"kind": op.kind})
        part_of_mask = extract(rewriter, mask, number) if mask is not None else None
        made = insert(rewriter, under_mask(rewriter, reduced, part_of_mask), made, number)
    return made
