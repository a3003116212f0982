"""Parts of tensors that are taken out or put in, together with what reads or writes them.

    %0 = tensor.extract_slice %t[%a, 0] [8, 8] [1, 1] : tensor<?x?xf32> to tensor<8x8xf32>
    %1 = vector.transfer_read %0[%i, %j], %p … : tensor<8x8xf32>, vector<4x4xf32>
->
    %0 = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%a, %i]
    %1 = vector.transfer_read %t[%0, %j], %p … : tensor<?x?xf32>, vector<4x4xf32>

Source of the rules: `FoldTensorSubsetOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.transfer_maps import in_bounds, map_of
from fathom.ir.affine import AffineDim, AffineMap, substitute
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.types import TensorType, VectorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.slices import mixed_list
from fathom.ops import tensor
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.index_arithmetic import through_slice
from fathom.passes.vectors.masking import mask_of, maskable, under_mask
from fathom.rewriting.folding import known_number
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing
from fathom.rewriting.slicing import create_slice

if TYPE_CHECKING:
    from fathom.dialects.vector.transfer_maps import Transfer
    from fathom.ir.operation import Value
    from fathom.ops.vector import MaskOp
    from fathom.rewriting.rewriter import Rewriter

    Insertion = tensor.InsertSliceOp | tensor.ParallelInsertSliceOp
    Slice = tensor.ExtractSliceOp | Insertion

NOT_A_SLICE: Final = Failure("what is read is no slice that is looked through")


def _dropped(op: Slice) -> set[int]:
    """The dimensions that the part does not have: from the last on, sizes of 1 for which it has none."""
    part = op.result.type if isinstance(op, tensor.ExtractSliceOp) else op.source.type
    shape = list(part.ranked_shape) if isinstance(part, TensorType) else []
    dims: set[int] = set()
    for dim, size in reversed(list(enumerate(mixed_list(op, "sizes")))):
        if shape and (size != 1 or shape[-1] == 1):
            shape.pop()
        else:
            dims.add(dim)
    return dims


def _has_unit_strides(op: Slice) -> bool:
    return all(known_number(size) == 1 for size in mixed_list(op, "strides"))


def _moved(rewriter: Rewriter, op: Slice, dropped: Collection[int], indices: Sequence[Value | int]) -> list[Value]:
    return through_slice(rewriter, mixed_list(op, "offsets"), mixed_list(op, "strides"), dropped, indices)


def _can_fold(op: Transfer, slice: Slice) -> bool:
    return all(in_bounds(op)) and op.mask is None and _has_unit_strides(slice)


def _map(op: Transfer, rank: int, dropped: Collection[int]) -> AffineMapAttr:
    """The map of a transfer, of the dimensions of the whole."""
    kept = [AffineDim(dim) for dim in range(rank) if dim not in dropped]
    return AffineMapAttr(AffineMap(rank, 0, tuple(substitute(result, kept, ()) for result in map_of(op).results)))


def read_whole(op: TransferReadOp, masking: MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """What is read of a part is read of the whole."""
    slice = defined_by(op.base, tensor.ExtractSliceOp)
    if slice is None or not _can_fold(op, slice):
        return NOT_A_SLICE
    dropped = _dropped(slice)
    indices = _moved(rewriter, slice, dropped, op.indices)
    properties = {
        "permutation_map": _map(op, len(indices), dropped),
        "in_bounds": op.in_bounds,
        "operandSegmentSizes": segment_sizes(1, len(indices), 1, 0),
    }
    made = rewriter.create(op.name, [slice.source, *indices, op.padding], [op.vector.type], properties)
    return under_mask(rewriter, made, mask_of(masking))


def write_whole(op: tensor.InsertSliceOp, rewriter: Rewriter) -> Replacement:
    """What is written over a part, which is then put into a whole, is written there."""
    write = defined_by(op.source, TransferWriteOp)
    if write is None or not _can_fold(write, op):
        return Failure("not a transfer_write")
    part, vector = write.base.type, write.valueToStore.type
    shape = vector.shape if isinstance(vector, VectorType) else None
    if not isinstance(part, TensorType) or not part.has_static_shape or shape != part.shape:
        return Failure("transfer_write does not cover insert_slice")
    dropped = _dropped(op)
    with rewriter.standing_in(write):
        indices = _moved(rewriter, op, dropped, write.indices)
    properties = {
        "permutation_map": _map(write, len(indices), dropped),
        "in_bounds": write.in_bounds,
        "operandSegmentSizes": segment_sizes(1, 1, len(indices), 0),
    }
    return rewriter.create(write.name, [write.valueToStore, op.dest, *indices], [op.dest.type], properties)


def insert_once(op: Insertion, rewriter: Rewriter) -> Replacement:
    """What is put into all of a part, which is then put into a whole, is put there."""
    inner = defined_by(op.source, tensor.InsertSliceOp)
    if inner is None:
        return None
    if not _has_unit_strides(op) or not _has_unit_strides(inner):
        return Failure("requires unit strides")
    dropped = _dropped(op)
    sizes, own = mixed_list(op, "sizes"), mixed_list(inner, "sizes")
    kept = [dim for dim in range(len(sizes)) if dim not in dropped]
    if any(sizes[dim] != own[place] for place, dim in enumerate(kept)):
        return Failure("requires matching sizes to fold, otherwise a copy is needed")
    for place, dim in enumerate(kept):
        sizes[dim] = own[place]
    around = op.parent_op
    if isinstance(op, tensor.ParallelInsertSliceOp) and around is not None:
        rewriter.set_insertion_before(around)
    offsets = _moved(rewriter, op, dropped, mixed_list(inner, "offsets"))
    rewriter.set_insertion_before(op)
    numbers = [known_number(offset) for offset in offsets]
    known = [offset if number is None else number for offset, number in zip(offsets, numbers, strict=True)]
    lists = [known, sizes, mixed_list(op, "strides")]
    return create_slice(rewriter, op.name, [inner.source, op.dest], lists, [result.type for result in op.results])


PATTERNS: Final = (
    maskable("TransferReadOfExtractSliceOpFolder", "vector.transfer_read", read_whole),
    replacing("tensor.insert_slice", write_whole, name="InsertSliceOfTransferWriteOpFolder"),
    replacing("tensor.insert_slice", insert_once, name="InsertSliceOfInsertSliceFolder"),
    replacing("tensor.parallel_insert_slice", insert_once, name="InsertSliceOfInsertSliceFolder"),
)
