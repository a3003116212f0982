"""The canonicalisation of transfers: what was written is read in another order, or written over; slices of tensors.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import splat_constant
from fathom.dialects.vector.canonicalization.sources import has_one_use
from fathom.dialects.vector.common import flags, rank, shaped_type, vector_of
from fathom.dialects.vector.memory_folds import are_apart, in_bounds, is_same_place, transferred
from fathom.dialects.vector.transfer_maps import map_of
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import FALSE, ArrayAttr, DenseArrayAttr
from fathom.ir.types import I64, VectorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.slices import LISTS, mixed_list
from fathom.ops.tensor import ExtractSliceOp, InsertSliceOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def _chunk(map: AffineMap, type: VectorType) -> list[int]:
    """How much a transfer reaches in each dimension of the tensor."""
    sizes = [1] * map.dims
    for result, extent in zip(map.results, type.ranked_shape, strict=False):
        if isinstance(result, AffineDim):
            sizes[result.position] = extent
    return sizes


def read_of_written(op: TransferReadOp, rewriter: Rewriter) -> Replacement:
    """
        %w = vector.transfer_write %v, %t[…] {permutation_map = (d0, d1, d2) -> (d2, d1)} : vector<4x1xf32>, …
        %r = vector.transfer_read %w[…] {permutation_map = (d0, d1, d2) -> (d1, 0, d2, 0)} : …, vector<1x100x4x5xf32>
    becomes
        %0 = vector.broadcast %v : vector<4x1xf32> to vector<100x5x4x1xf32>
        %r = vector.transpose %0, [3, 0, 2, 1] : vector<100x5x4x1xf32> to vector<1x100x4x5xf32>
    """
    write = defined_by(op.base, TransferWriteOp)
    if write is None:
        return None
    if op.mask is not None or write.mask is not None or op.indices != write.indices:
        return Failure("it is not the same place")
    if not all(in_bounds(op)) or not all(in_bounds(write)):
        return Failure("it may go out of bounds")
    into, outof, written, type = map_of(write), map_of(op), transferred(write), transferred(op)
    if _chunk(outof, type) != _chunk(into, written):
        return Failure("not just what was written is read")
    places = {result.position: place for place, result in enumerate(into.results) if isinstance(result, AffineDim)}
    # For each dimension that is read, the one of the vector that was written; None where it is repeated.
    origin = [places.get(result.position) if isinstance(result, AffineDim) else None for result in outof.results]
    if {at for at in origin if at is not None} != set(range(rank(written))):
        return Failure("a dimension of what was written is not read")
    order = [dim for dim, at in enumerate(origin) if at is None]
    order += [origin.index(place) for place in range(rank(written))]
    shape, scalable = type.ranked_shape, flags(type)
    repeated = vector_of([shape[dim] for dim in order], type.element, [scalable[dim] for dim in order])
    value = rewriter.create("vector.broadcast", [write.valueToStore], [repeated]).result
    permutation = DenseArrayAttr(I64, tuple(order.index(dim) for dim in range(len(order))))
    return rewriter.create("vector.transpose", [value], [type], {"permutation": permutation})


def write_over(op: TransferWriteOp, rewriter: Rewriter) -> Replacement:
    """
        %w0 = vector.transfer_write %v0, %t[%c1] : vector<4xf32>, tensor<8xf32>
        %w1 = vector.transfer_write %v1, %w0[%c1] : vector<4xf32>, tensor<8xf32>
    becomes
        %w1 = vector.transfer_write %v1, %t[%c1] : vector<4xf32>, tensor<8xf32>
    also where what is written in between is elsewhere, and used nowhere else.
    """
    changed, before = op, defined_by(op.base, TransferWriteOp)
    while before is not None:
        if is_same_place(op, before) and op.mask is before.mask:
            rewriter.modify(changed, partial(changed.set_operand, 1, before.base))
            return op
        if not are_apart(before, op) or not has_one_use(before):
            break
        changed, before = before, defined_by(before.base, TransferWriteOp)
    return None


def slice_of_write(op: InsertSliceOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = vector.transfer_write %v, %all[%c0, %c0] : vector<8x16xf32>, tensor<8x16xf32>
        %1 = tensor.extract_slice %0[0, 0] [%m, %n] [1, 1] : tensor<8x16xf32> to tensor<?x?xf32>
        %r = tensor.insert_slice %1 into %t[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<27x37xf32>
    becomes
        %0 = tensor.extract_slice %t[%i, %j] [%m, %n] [1, 1] : tensor<27x37xf32> to tensor<?x?xf32>
        %1 = vector.transfer_write %v, %0[%c0, %c0] : vector<8x16xf32>, tensor<?x?xf32>
        %r = tensor.insert_slice %1 into %t[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<27x37xf32>
    """
    slice = defined_by(op.source, ExtractSliceOp)
    write = defined_by(slice.source, TransferWriteOp) if slice is not None else None
    if slice is None or write is None or not has_one_use(slice) or not has_one_use(write):
        return None
    if any(stride != 1 for stride in (*op.static_strides.values, *slice.static_strides.values)):
        return Failure("there are strides")
    written, order, type, whole = transferred(write), map_of(write), shaped_type(op.source), shaped_type(write.base)
    if len(type.ranked_shape) != len(order.results):
        return Failure("the rank is reduced")
    if any(slice.static_offsets.values):
        return Failure("the slice has an offset")
    if any(splat_constant(index) != 0 for index in write.indices):
        return Failure("it is not written to the start")
    if mixed_list(op, "sizes") != mixed_list(slice, "sizes"):
        return Failure("the sizes differ")
    reached = tuple(
        whole.ranked_shape[result.position] if isinstance(result, AffineDim) else None for result in order.results
    )
    if write.mask is not None or reached != written.ranked_shape:
        return Failure("not all is written")
    groups = [op.all_of(name) for name in LISTS]
    properties = {f"static_{name}": op.properties[f"static_{name}"] for name in LISTS}
    properties["operandSegmentSizes"] = segment_sizes(1, *map(len, groups))
    with rewriter.standing_in(slice):
        before = [op.dest, *(value for group in groups for value in group)]
        taken = rewriter.create(slice.name, before, [type], properties).result
    bounds = ArrayAttr((FALSE,) * rank(written))
    with rewriter.standing_in(write):
        given = [write.valueToStore, taken, *write.indices]
        properties = {**write.properties, "in_bounds": bounds}
        made = rewriter.create(write.name, given, [type], properties).result
    rewriter.modify(op, lambda: op.set_operand(0, made))
    return op


PATTERNS: Final = (
    replacing("vector.transfer_read", read_of_written, name="TransferReadAfterWriteToBroadcast"),
    replacing("vector.transfer_write", write_over, name="FoldWaw"),
    replacing("tensor.insert_slice", slice_of_write, name="SwapExtractSliceOfTransferWrite"),
)
