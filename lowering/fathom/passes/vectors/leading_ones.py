"""Vectors without their leading dimensions of one element.

    %0 = arith.addf %a, %b : vector<1x4xf32>
->
    %1 = vector.extract %a[0] : vector<4xf32> from vector<1x4xf32>
    %2 = vector.extract %b[0] : vector<4xf32> from vector<1x4xf32>
    %3 = arith.addf %1, %2 : vector<4xf32>
    %0 = vector.broadcast %3 : vector<4xf32> to vector<1x4xf32>

Source of the rules: `populateCastAwayVectorLeadingOneDimPatterns` of MLIR 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import can_broadcast, flags, masking_op, vector_of, vector_type
from fathom.dialects.vector.contractions import iterators_of, maps_of
from fathom.dialects.vector.transfer_maps import map_of, transfer_mask
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import TRUE, AffineMapAttr, ArrayAttr, DenseArrayAttr
from fathom.ir.types import I64, ShapedType, VectorType
from fathom.irdl.index_lists import mixed
from fathom.irdl.traits import ELEMENTWISE
from fathom.ops import vector as ops
from fathom.passes.vectors.building import broadcast, extract, insert, shape_cast, transpose
from fathom.passes.vectors.contractions import PARALLEL
from fathom.passes.vectors.masking import maskable, under_mask
from fathom.passes.vectors.transfers import read, write
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, Replacement, replacing

if TYPE_CHECKING:
    from fathom.dialects.vector.transfer_maps import Transfer
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def trimmed(type: VectorType) -> VectorType:
    """The vector without them; one dimension stays."""
    shape, scalable, first = type.ranked_shape, flags(type), 0
    while first < len(shape) - 1 and shape[first] == 1 and not scalable[first]:
        first += 1
    return vector_of(shape[first:], type.element, scalable[first:])


def _dropped(type: VectorType) -> int:
    return len(type.ranked_shape) - len(trimmed(type).ranked_shape)


def _without(rewriter: Rewriter, value: Value, count: int) -> Value:
    return extract(rewriter, value, *[0] * count)


def by_elements(op: Operation, rewriter: Rewriter) -> Replacement:
    type = op.results[0].type if len(op.results) == 1 else None
    if not isinstance(type, VectorType) or not type.ranked_shape or not (count := _dropped(type)):
        return None
    operands = [_without(rewriter, each, count) if isinstance(each.type, VectorType) else each for each in op.operands]
    made = rewriter.create(op.definition or op.name, operands, [trimmed(type)], op.properties, op.attributes)
    return broadcast(rewriter, made.result, type)


def _mask(rewriter: Rewriter, op: Transfer, type: VectorType, map: AffineMap) -> Value | None:
    """The mask of the transfer of a smaller vector."""
    mask = op.mask
    if mask is None:
        return None
    old, new = vector_type(mask), transfer_mask(type, map)
    assert new is not None, "a transfer with a map may have a mask"
    if can_broadcast(new, old):
        return _without(rewriter, mask, len(old.ranked_shape) - len(new.ranked_shape))
    return shape_cast(rewriter, mask, new)


def _parts(op: Transfer, type: VectorType) -> tuple[AffineMap, list[bool]] | None:
    """The map and bounds of the transfer of a smaller vector; None where there is none."""
    base = op.base.type
    if masking_op(op) is not None or not isinstance(base, ShapedType) or base.element != type.element:
        return None
    map, count = map_of(op), len(trimmed(type).ranked_shape)
    if not map.results or not _dropped(type):
        return None
    bounds = [each == TRUE for each in op.in_bounds.elements]
    return AffineMap(map.dims, map.symbols, map.results[-count:]), bounds[-count:]


def smaller_read(op: ops.TransferReadOp, rewriter: Rewriter) -> Replacement:
    type = vector_type(op.vector)
    parts = _parts(op, type)
    if parts is None:
        return None
    mask = _mask(rewriter, op, trimmed(type), parts[0])
    made = read(rewriter, op.base, op.indices, op.padding, trimmed(type), *parts, mask)
    return broadcast(rewriter, made.result, type)


def smaller_write(op: ops.TransferWriteOp, rewriter: Rewriter) -> Replacement:
    type = vector_type(op.valueToStore)
    parts = _parts(op, type)
    if parts is None:
        return None
    value = _without(rewriter, op.valueToStore, _dropped(type))
    mask = _mask(rewriter, op, trimmed(type), parts[0])
    return write(rewriter, value, op.base, op.indices, *parts, mask)


def smaller_extraction(op: ops.ExtractStridedSliceOp, rewriter: Rewriter) -> Replacement:
    source, type = vector_type(op.source), vector_type(op.result)
    count = _dropped(source)
    if not count:
        return None
    part = vector_of(type.ranked_shape[count:], type.element, flags(type)[count:])
    given = {"offsets": op.offsets, "sizes": op.sizes, "strides": op.strides}
    lists = {name: ArrayAttr(each.elements[count:]) for name, each in given.items()}
    value = _without(rewriter, op.source, count)
    return broadcast(rewriter, rewriter.create(op.name, [value], [part], lists).result, type)


def smaller_insertion(op: ops.InsertStridedSliceOp, rewriter: Rewriter) -> Replacement:
    source, type = vector_type(op.valueToStore), vector_type(op.dest)
    of_source, of_dest = _dropped(source), _dropped(type)
    if not of_source and not of_dest:
        return None
    value = _without(rewriter, op.valueToStore, of_source)
    dest = _without(rewriter, op.dest, of_dest)
    lists: dict[str, Attribute] = {
        "offsets": ArrayAttr(op.offsets.elements[-len(trimmed(type).ranked_shape) :]),
        "strides": ArrayAttr(op.strides.elements[-len(trimmed(source).ranked_shape) :]),
    }
    return broadcast(rewriter, rewriter.create(op.name, [value, dest], [dest.type], lists).result, type)


def smaller_insert(op: ops.InsertOp, rewriter: Rewriter) -> Replacement:
    source, type = op.valueToStore.type, vector_type(op.dest)
    is_vector = isinstance(source, VectorType)
    of_source, of_dest = _dropped(source) if isinstance(source, VectorType) else 0, _dropped(type)
    if not of_source and not of_dest:
        return None
    value = _without(rewriter, op.valueToStore, of_source) if is_vector else op.valueToStore
    dest = _without(rewriter, op.dest, of_dest)
    position = mixed(op.static_position, op.dynamic_position)
    kept = position[len(position) - max(0, len(position) - of_dest) :]
    rank = len(trimmed(source).ranked_shape) if isinstance(source, VectorType) else 0
    count = len(trimmed(type).ranked_shape) - rank
    kept = [*kept, *[0] * count][:count]
    return broadcast(rewriter, insert(rewriter, value, dest, *kept), type)


def smaller_mask(op: ops.ConstantMaskOp, rewriter: Rewriter) -> Replacement:
    type, sizes = vector_type(op.result), op.mask_dim_sizes.values
    count = _dropped(type)
    if not count:
        return None
    kept = DenseArrayAttr(I64, (prod(sizes[: count + 1]), *sizes[count + 1 :]))
    made = rewriter.create(op.name, [], [trimmed(type)], {"mask_dim_sizes": kept})
    return broadcast(rewriter, made.result, type)


def smaller_contraction(op: ops.ContractOp, masking: ops.MaskOp | None, rewriter: Rewriter) -> Value | Failure:
    """Without the loop that goes over the leading dimension of the result."""
    type = op.acc.type
    if not isinstance(type, VectorType) or len(type.ranked_shape) < 2 or type.ranked_shape[0] != 1:
        return NO_MATCH
    places = [[each.position for each in map.results if isinstance(each, AffineDim)] for map in maps_of(op)]
    loop = places[2][0]
    if iterators_of(op)[loop] != PARALLEL:
        return NO_MATCH
    operands: list[Value] = []
    maps: list[AffineMapAttr] = []
    count = maps_of(op)[0].dims - 1
    for value, place in zip((op.lhs, op.rhs, op.acc), places, strict=True):
        if place[0] != loop and loop in place:
            order = [place.index(loop), *(index for index, each in enumerate(place) if each != loop)]
            shape = vector_type(value).ranked_shape
            if any(each != index and shape[index] != 1 for index, each in enumerate(order[:-1])):
                value = transpose(rewriter, value, order)
            place = [place[index] for index in order]
        operands.append(_without(rewriter, value, 1) if place[0] == loop else value)
        kept = tuple(AffineDim(each - (each > loop)) for each in place if each != loop)
        maps.append(AffineMapAttr(AffineMap(count, 0, kept)))
    iterators = tuple(each for index, each in enumerate(op.iterator_types.elements) if index != loop)
    properties = {"indexing_maps": ArrayAttr(tuple(maps)), "iterator_types": ArrayAttr(iterators), "kind": op.kind}
    made = rewriter.create(op.name, operands, [operands[2].type], properties)
    mask = None
    if masking is not None:
        with rewriter.elsewhere():
            mask = _without(rewriter, masking.mask, 1)
    return broadcast(rewriter, under_mask(rewriter, made, mask), type)


PATTERNS: Final[tuple[Pattern, ...]] = (
    replacing("vector.extract_strided_slice", smaller_extraction, name="CastAwayExtractStridedSliceLeadingOneDim"),
    replacing("vector.insert_strided_slice", smaller_insertion, name="CastAwayInsertStridedSliceLeadingOneDim"),
    replacing("vector.insert", smaller_insert, name="CastAwayInsertLeadingOneDim"),
    replacing("vector.constant_mask", smaller_mask, name="CastAwayConstantMaskLeadingOneDim"),
    replacing("vector.transfer_read", smaller_read, name="CastAwayTransferReadLeadingOneDim"),
    replacing("vector.transfer_write", smaller_write, name="CastAwayTransferWriteLeadingOneDim"),
    replacing("", by_elements, name="CastAwayElementwiseLeadingOneDim", trait=ELEMENTWISE),
    maskable("CastAwayContractionLeadingOneDim", "vector.contract", smaller_contraction),
)
