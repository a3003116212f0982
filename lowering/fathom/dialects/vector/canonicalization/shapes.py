"""The canonicalisation of what repeats, reshapes and reorders vectors: two of them become one.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import splat_constant
from fathom.dialects.vector.canonicalization.sources import of_one_scalar, sizes
from fathom.dialects.vector.common import (
    can_broadcast,
    count_of,
    flags,
    indices_of,
    number_of,
    rank,
    vector,
    vector_of,
    vector_type,
)
from fathom.dialects.vector.folds import keeps_order
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.types import I64, VectorType
from fathom.ops import vector as ops
from fathom.rewriting.pattern import Failure, Replacement, defined_by, of_another, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


# ---- shape_cast


def shape_of_mask(op: ops.ShapeCastOp, rewriter: Rewriter) -> Replacement:
    """
        %m = vector.create_mask %n, %c1, %c1 : vector<4x1x1xi1>
        %r = vector.shape_cast %m : vector<4x1x1xi1> to vector<4xi1>
    becomes
        %r = vector.create_mask %n : vector<4xi1>
    and so does a `vector.constant_mask`.
    """
    source, type, mask = vector_type(op.source), vector_type(op.result), op.source.defining_op
    if not isinstance(mask, (ops.CreateMaskOp, ops.ConstantMaskOp)) or _without_last_ones(source) != type:
        return None
    kept = rank(type)
    if kept == rank(source):
        return Failure("it drops no dimension")
    if isinstance(mask, ops.CreateMaskOp):
        if any(splat_constant(operand) != 1 for operand in mask.operands[kept:]):
            return Failure("a dimension that is dropped may not be set")
    elif any(size != 1 for size in mask.mask_dim_sizes.values[kept:]):
        return Failure("a dimension that is dropped is not set")
    return _with_dimensions(op, mask, range(kept), rewriter)


def _with_dimensions(
    op: ops.ShapeCastOp | ops.TransposeOp,
    mask: ops.CreateMaskOp | ops.ConstantMaskOp,
    dims: Sequence[int],
    rewriter: Rewriter,
) -> Operation:
    """A mask that has some dimensions of another."""
    if isinstance(mask, ops.CreateMaskOp):
        return rewriter.create(mask.name, [mask.operands[dim] for dim in dims], [op.result.type])
    known = sizes([mask.mask_dim_sizes.values[dim] for dim in dims])
    return rewriter.create(mask.name, (), [op.result.type], known)


def _without_last_ones(type: VectorType) -> VectorType:
    """The type without its last dimensions of 1, but with one dimension at least."""
    shape, scalable = list(type.ranked_shape), list(flags(type))
    while shape and shape[-1] == 1 and not scalable[-1]:
        shape.pop()
        scalable.pop()
    if not shape:
        return vector_of(type.ranked_shape[-1:], type.element, flags(type)[-1:])
    return vector_of(shape, type.element, scalable)


def shape_of_repetition(op: ops.ShapeCastOp, rewriter: Rewriter) -> Replacement:
    """What is repeated in another shape: what was repeated in that shape, if it has as many elements; or repeated to
    it."""
    inner, type = defined_by(op.source, ops.BroadcastOp), vector_type(op.result)
    source = vector(inner.source.type) if inner is not None else None
    is_reshaped = source is not None and count_of(source) == count_of(type)
    if inner is None or not (is_reshaped or source is None or can_broadcast(source, type)):
        return None
    return rewriter.create(op.name if is_reshaped else inner.name, inner.operands, [type])


# ---- transpose


def transposed_mask(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """The mask of a transposed vector has its sizes in that order."""
    mask = op.vector.defining_op
    if not isinstance(mask, (ops.CreateMaskOp, ops.ConstantMaskOp)):
        return None
    return _with_dimensions(op, mask, op.permutation.values, rewriter)


def transposed_twice(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """Two transpositions are one."""
    inner = defined_by(op.vector, ops.TransposeOp)
    if inner is None:
        return None
    order = tuple(inner.permutation.values[dim] for dim in op.permutation.values)
    return rewriter.create(op.name, inner.operands, [op.result.type], {"permutation": DenseArrayAttr(I64, order)})


def transposed_elements(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """
        %v = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>
        %r = vector.transpose %v, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
    becomes
        %r = vector.from_elements %a, %c, %b, %d : vector<2x2xf32>
    """
    made = defined_by(op.vector, ops.FromElementsOp)
    if made is None:
        return None
    source, type, order = vector_type(op.vector), vector_type(op.result), op.permutation.values
    elements: list[Value] = []
    for number in range(count_of(type)):
        place = indices_of(number, type.ranked_shape)
        before = [0] * len(order)
        for dim, by in enumerate(order):
            before[by] = place[dim]
        elements.append(made.operands[number_of(before, source.ranked_shape)])
    return rewriter.create(made.name, elements, [type])


def transposed_repetition(op: ops.TransposeOp, rewriter: Rewriter) -> Replacement:
    """
        %v = vector.broadcast %a : vector<1x1x4xi8> to vector<1x8x4xi8>
        %r = vector.transpose %v, [1, 0, 2] : vector<1x8x4xi8> to vector<8x1x4xi8>
    becomes
        %r = vector.broadcast %a : vector<1x1x4xi8> to vector<8x1x4xi8>
    where dimensions of what is repeated move only among those of 1 beside them, and each other one stays.
    """
    inner = defined_by(op.vector, ops.BroadcastOp)
    source = vector(inner.source.type) if inner is not None else None
    if inner is None or source is None:
        return None
    order, shape = op.permutation.values, source.ranked_shape
    lead, low = len(order) - len(shape), 0
    for dim, extent in enumerate(shape):
        if extent == 1 and (dim == 0 or shape[dim - 1] == 1):
            continue
        high = dim + lead
        if any(not low <= order[place] < high for place in range(low, high)):
            return Failure("a dimension moves among others that are not 1")
        low = high
    return rewriter.create(inner.name, inner.operands, [op.result.type])


# ---- shuffle


def shuffle_in_turn(op: ops.ShuffleOp, rewriter: Rewriter) -> Replacement:
    """A shuffle that takes elements in turn, as `[0, 2, 1, 3]` does of two and two, is a `vector.interleave`."""
    type, half = vector_type(op.result), vector_type(op.v1)
    count = count_of(half)
    if rank(type) != 1 or half != op.v2.type or count_of(type) != 2 * count:
        return None
    if op.mask.values != tuple(place for number in range(count) for place in (number, count + number)):
        return Failure("the elements are not taken in turn")
    return rewriter.create("vector.interleave", op.operands, [type])


def shuffle_of_elements(op: ops.ShuffleOp, rewriter: Rewriter) -> Replacement:
    """A shuffle of vectors without dimensions that takes one element is that vector with a dimension of 1."""
    source, mask = vector_type(op.v1), op.mask.values
    if source.shape or len(mask) != 1:
        return None
    chosen = op.v1 if mask[0] == 0 else op.v2
    return rewriter.create("vector.broadcast", [chosen], [vector_of((1,), source.element)])


PATTERNS: Final = (
    replacing("vector.broadcast", of_another(ops.BroadcastOp, "vector.broadcast"), name="BroadcastFolder"),
    replacing("vector.shape_cast", shape_of_mask, name="ShapeCastCreateMaskFolderTrailingOneDim"),
    replacing("vector.shape_cast", shape_of_repetition, name="ShapeCastBroadcastFolder"),
    replacing("vector.transpose", transposed_mask, name="FoldTransposeCreateMask"),
    # A transposition that only moves dimensions of 1 is another shape.
    replacing(
        "vector.transpose",
        of_another(ops.ShapeCastOp, "vector.shape_cast", lambda op, _: keeps_order(op)),
        name="FoldTransposeShapeCast",
    ),
    replacing("vector.transpose", transposed_twice, name="TransposeFolder"),
    replacing("vector.transpose", of_one_scalar, name="FoldTransposeSplat"),
    replacing("vector.transpose", transposed_elements, name="FoldTransposeFromElements"),
    replacing("vector.transpose", transposed_repetition, name="FoldTransposeBroadcast"),
    replacing("vector.shuffle", of_one_scalar, name="ShuffleSplat"),
    replacing("vector.shuffle", shuffle_in_turn, name="ShuffleInterleave"),
    replacing("vector.shuffle", shuffle_of_elements, name="Canonicalize0DShuffleOp"),
)
