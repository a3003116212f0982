"""Transfers of several dimensions, without loops: one for each place in the first dimension, and so on with each.

Nothing is kept in memory in between: parts are put into the vector, or taken out of it, one after the other.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING

from fathom.dialects.vector.common import flags, rank, without_first
from fathom.dialects.vector.memory_folds import set_mask
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds
from fathom.ir.types import VectorType
from fathom.irdl.index_lists import mixed
from fathom.ops.vector import ExtractOp, InsertOp, TransferReadOp, TransferWriteOp
from fathom.passes.arithmetic import constant
from fathom.passes.conversions.convert_vector_to_scf.accesses import (
    first_dimension,
    indices_at,
    is_of_tensor,
    to_take_apart,
    where_it_is,
    without_first_result,
)
from fathom.passes.vectors.building import SCALABLE, broadcast, extract, insert
from fathom.passes.vectors.transfers import read_like, write_like
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern, defined_by
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_vector_to_scf import ConvertVectorToSCFPass
    from fathom.rewriting.rewriter import Rewriter


def patterns(use: ConvertVectorToSCFPass) -> list[Pattern]:
    return [
        Pattern("vector.transfer_read", partial(unroll_read, use=use), name="UnrollTransferReadConversion"),
        Pattern("vector.transfer_write", partial(unroll_write, use=use), name="UnrollTransferWriteConversion"),
    ]


def _to_unroll(op: Transfer, use: ConvertVectorToSCFPass) -> VectorType | Failure:
    type = to_take_apart(op, use)
    if isinstance(type, Failure):
        return type
    if flags(type)[0]:
        return SCALABLE
    rows = type.ranked_shape[: rank(type) - use.target_rank]
    return too_many_operations(op, 4 * type.ranked_shape[0], 4 * prod(rows)) or type


def unroll_read(
    op: TransferReadOp, operands: Sequence[Value], rewriter: Rewriter, *, use: ConvertVectorToSCFPass
) -> Failure | None:
    """
        %0 = vector.transfer_read %m[%i, %j], %p : memref<?x?xf32>, vector<2x4xf32>
    ->
        %1 = vector.broadcast %p : f32 to vector<2x4xf32>
        %2 = vector.transfer_read %m[%i, %j], %p : memref<?x?xf32>, vector<4xf32>
        %3 = vector.insert %2, %1[0] : vector<4xf32> into vector<2x4xf32>
        %4 = vector.transfer_read %m[%i + 1, %j], %p : memref<?x?xf32>, vector<4xf32>
        %0 = vector.insert %4, %3[1] : vector<4xf32> into vector<2x4xf32>

    What is put into another vector at once goes there part by part.
    """
    type = _to_unroll(op, use)
    if isinstance(type, Failure):
        return type
    goal = _goal(op)
    if goal is not None:
        made, position = goal.dest, mixed(goal.static_position, goal.dynamic_position)
    else:
        made, position = broadcast(rewriter, op.padding, type), []
    row = without_first(type, 1)

    def with_part(number: int, before: Value) -> Sequence[Value]:
        place = constant(rewriter, number)

        def inside() -> Sequence[Value]:
            indices, bounds = indices_at(rewriter, op, place), in_bounds(op)[1:]
            read = read_like(rewriter, op, row, indices=indices, map=without_first_result(op), bounds=bounds)
            _set_part_of_mask(rewriter, op, read, number)
            part = read.result if row.shape else extract(rewriter, read.result)
            return [insert(rewriter, part, before, *position, number)]

        return where_it_is(rewriter, op, place, inside, lambda: [before])

    for number in range(type.ranked_shape[0]):
        checkpoint()
        (made,) = with_part(number, made)
    if goal is not None:
        rewriter.replace(goal, [made])
        rewriter.erase(op)
    else:
        rewriter.replace(op, [made])
    return None


def _goal(op: TransferReadOp) -> InsertOp | None:
    """The insertion of what is read into another vector, if nothing else is done with it."""
    user = next(iter(op.result.uses), None)
    if not isinstance(user, InsertOp) or sum(op.result.uses.values()) != 1:
        return None
    return user if user.valueToStore is op.result else None


def unroll_write(
    op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter, *, use: ConvertVectorToSCFPass
) -> Failure | None:
    """
        vector.transfer_write %v, %m[%i, %j] : vector<2x4xf32>, memref<?x?xf32>
    ->
        %0 = vector.extract %v[0] : vector<4xf32> from vector<2x4xf32>
        vector.transfer_write %0, %m[%i, %j] : vector<4xf32>, memref<?x?xf32>
        %1 = vector.extract %v[1] : vector<4xf32> from vector<2x4xf32>
        vector.transfer_write %1, %m[%i + 1, %j] : vector<4xf32>, memref<?x?xf32>

    Parts of what was taken out of another vector are taken out of that.
    """
    type = _to_unroll(op, use)
    if isinstance(type, Failure):
        return type
    whole, base = op.valueToStore, op.base
    position: list[int | Value] = []
    if (origin := defined_by(whole, ExtractOp)) is not None:
        whole = origin.source
        position = mixed(origin.static_position, origin.dynamic_position)
    of_tensor = is_of_tensor(op)

    def with_part(number: int, before: Value) -> Sequence[Value]:
        place = constant(rewriter, number)

        def inside() -> Sequence[Value]:
            indices, bounds = indices_at(rewriter, op, place), in_bounds(op)[1:]
            part = extract(rewriter, whole, *position, number)
            if rank(type) == 1:
                part = broadcast(rewriter, part, VectorType((), part.type))
            map = without_first_result(op)
            write = write_like(rewriter, op, part, base=before, indices=indices, map=map, bounds=bounds)
            _set_part_of_mask(rewriter, op, write, number)
            return write.results

        return where_it_is(rewriter, op, place, inside, lambda: [before] if of_tensor else ())

    for number in range(type.ranked_shape[0]):
        checkpoint()
        (base,) = with_part(number, base) or [base]
    rewriter.replace(op, [base] if of_tensor else ())
    return None


def _set_part_of_mask(rewriter: Rewriter, op: Transfer, part: Transfer, number: int) -> None:
    """Gives a part of a transfer the mask that is its, which comes before it."""
    mask = op.mask
    if mask is None:
        return
    if first_dimension(op) is not None:
        if rank(mask.type) == 1:
            return
        with rewriter.elsewhere():
            rewriter.set_insertion_before(part)
            mask = extract(rewriter, mask, number)
    set_mask(part, mask)
