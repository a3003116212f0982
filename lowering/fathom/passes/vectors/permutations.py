"""Transfers whose maps permute, repeat or leave out dimensions, as transfers of the last dimensions in order beside
transpositions and broadcasts.

Source of the rules: *'vector' Dialect*, `vector.transfer_read` and `vector.transfer_write`, and what mlir-opt 22 makes
of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, masking_op, rank, vector_of, vector_type
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, is_minor_identity, map_of
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.vectors.building import broadcast, transpose
from fathom.passes.vectors.transfers import read_like, repeated, write_like
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

SIMPLE: Final = Failure("its map is simple enough")
OTHER: Final = Failure("it stands under a mask, or its map is of another form")


def _map(op: Transfer) -> AffineMap | None:
    """The map of a transfer that is no single element and does not stand under a mask."""
    map = map_of(op)
    return map if map.results and masking_op(op) is None else None


def permutation_of(map: AffineMap) -> list[int] | None:
    """For each result its place among the last dimensions, in their order; those that are repeated take the places that
    are left. None where other dimensions are among them."""
    count = len(map.results)
    start, lead = max(map.dims - count, 0), max(count - map.dims, 0)
    places: list[int | None] = []
    for result in map.results:
        if isinstance(result, AffineDim) and result.position >= start:
            places.append(result.position - start + lead)
        elif result == AffineConstant(0):
            places.append(None)
        else:
            return None
    free = iter([place for place in range(count) if place not in places])
    return [next(free) if place is None else place for place in places]


def permuted_read(op: TransferReadOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.transfer_read %m[%i, %j], %p {permutation_map = … (d0, d1) -> (d1, d0)>} : …, vector<4x8xf32>
    ->
        %1 = vector.transfer_read %m[%i, %j], %p : …, vector<8x4xf32>
        %0 = vector.transpose %1, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    """
    map = _map(op)
    places = permutation_of(map) if map is not None else None
    if map is None or places is None:
        return OTHER
    count = len(places)
    if places == list(range(count)):
        return SIMPLE
    type, bounds = vector_type(op.result), in_bounds(op)
    inverse = sorted(range(count), key=places.__getitem__)
    shape, scalable = type.ranked_shape, flags(type)
    read = read_like(
        rewriter,
        op,
        vector_of([shape[i] for i in inverse], type.element, [scalable[i] for i in inverse]),
        map=AffineMap(map.dims, 0, tuple(map.results[i] for i in inverse)),
        bounds=[bounds[i] for i in inverse],
        mask=op.mask,
    )
    rewriter.replace(op, [transpose(rewriter, read.result, places)])
    return None


def permuted_write(op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        vector.transfer_write %v, %m[%i, %j] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, …
    ->
        %0 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
        vector.transfer_write %0, %m[%i, %j] : vector<8x4xf32>, …
    """
    map = _map(op)
    if map is None or is_minor_identity(map):
        return SIMPLE
    places = permutation_of(map)
    if places is None or AffineConstant(0) in map.results:
        return OTHER
    inverse = sorted(range(len(places)), key=places.__getitem__)
    bounds = in_bounds(op)
    rewriter.replace(
        op,
        write_like(
            rewriter,
            op,
            transpose(rewriter, op.valueToStore, inverse),
            map=_last_dimensions(map.dims, len(places)),
            bounds=[bounds[i] for i in inverse],
            mask=op.mask,
        ).results,
    )
    return None


def _last_dimensions(dims: int, count: int) -> AffineMap:
    return AffineMap(dims, 0, tuple(AffineDim(i) for i in range(dims - count, dims)))


def narrower_read(op: TransferReadOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.transfer_read %m[%i], %p {permutation_map = affine_map<(d0) -> (0, d0)>} : …, vector<2x4xf32>
    ->
        %1 = vector.transfer_read %m[%i], %p : …, vector<4xf32>
        %0 = vector.broadcast %1 : vector<4xf32> to vector<2x4xf32>
    """
    map = _map(op)
    if map is None:
        return OTHER
    zero = AffineConstant(0)
    lead = next((i for i, result in enumerate(map.results) if result != zero), len(map.results))
    kept = AffineMap(map.dims, 0, map.results[lead:])
    if not lead or repeated(kept) is None:
        return OTHER
    type = vector_type(op.result)
    read = read_like(
        rewriter,
        op,
        vector_of(type.ranked_shape[lead:], type.element, flags(type)[lead:]),
        map=kept,
        bounds=in_bounds(op)[lead:],
        mask=op.mask,
    )
    rewriter.replace(op, [broadcast(rewriter, read.result, type)])
    return None


def completed_write(op: TransferWriteOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        vector.transfer_write %v, %m[%i, %j] {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<4xf32>, …
    ->
        %0 = vector.broadcast %v : vector<4xf32> to vector<1x4xf32>
        vector.transfer_write %0, %m[%i, %j] {in_bounds = [true, …], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
    """
    map_ = _map(op)
    if map_ is None or permutation_of(map_) is not None:
        return SIMPLE
    dims = {result.position for result in map_.results if isinstance(result, AffineDim)}
    if len(dims) != len(map_.results):
        return OTHER
    missing = [dim for dim in range(min(dims), map_.dims) if dim not in dims]
    mask = op.mask
    value = _with_unit_dimensions(rewriter, op.valueToStore, len(missing))
    if mask is not None:
        mask = _with_unit_dimensions(rewriter, mask, len(missing))
        count = rank(mask.type)
        mask = transpose(rewriter, mask, [*range(len(missing), count), *range(len(missing))])
    results: tuple[AffineExpr, ...] = (*map(AffineDim, missing), *map_.results)
    write = write_like(
        rewriter,
        op,
        value,
        map=AffineMap(map_.dims, 0, results),
        bounds=[True] * len(missing) + in_bounds(op),
        mask=mask,
    )
    rewriter.replace(op, write.results)
    return None


def _with_unit_dimensions(rewriter: Rewriter, value: Value, count: int) -> Value:
    """A vector with so many dimensions of size one before its own."""
    type = vector_type(value)
    shape, scalable = [1] * count + list(type.ranked_shape), [False] * count + list(flags(type))
    return broadcast(rewriter, value, vector_of(shape, type.element, scalable))


PERMUTATIONS: Final = (
    Pattern("vector.transfer_read", permuted_read, name="TransferReadPermutationLowering"),
    Pattern("vector.transfer_write", permuted_write, name="TransferWritePermutationLowering"),
    Pattern("vector.transfer_read", narrower_read, name="TransferOpReduceRank"),
    Pattern("vector.transfer_write", completed_write, name="TransferWriteNonPermutationLowering"),
)
