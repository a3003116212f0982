"""What transfers read and write, and the maps that bring their dimensions into order.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TypeAlias

from fathom.dialects.vector.common import flags, rank, vector_of, vector_type
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap
from fathom.ir.attributes import TRUE
from fathom.ir.types import I1, MemRefType, TensorType, VectorType
from fathom.ops.vector import TransferReadOp, TransferWriteOp

Transfer: TypeAlias = "TransferReadOp | TransferWriteOp"


def minor_rank(source: MemRefType | TensorType, type: VectorType) -> int:
    """How many dimensions of the memref or tensor a transfer goes over. Negative where its elements are vectors of
    more."""
    return rank(type) - rank(source.element)


def minor_identity(source: MemRefType | TensorType, type: VectorType) -> AffineMap:
    """The map that a transfer has where it states none: the last dimensions, in order."""
    inputs, results = len(source.ranked_shape), minor_rank(source, type)
    if inputs == 0 and type.shape == (1,):
        return AffineMap(0, 0, (AffineConstant(0),))
    return AffineMap(inputs, 0, tuple(AffineDim(i) for i in range(inputs - results, inputs)))


def is_minor_identity(map: AffineMap) -> bool:
    """Whether a map is that of the last dimensions, in order."""
    count = len(map.results)
    if map.symbols or count > map.dims:
        return False
    return map.results == tuple(AffineDim(i) for i in range(map.dims - count, map.dims))


def transfer_mask(type: VectorType, map: AffineMap) -> VectorType | None:
    """The type of the mask of a transfer: in the order of the memory, without the dimensions that are repeated. None
    where that does not follow from the map."""
    places: dict[int, int] = {}
    for place, result in enumerate(map.results):
        if isinstance(result, AffineDim):
            places.setdefault(result.position, place)
        elif not isinstance(result, AffineConstant):
            return None
    order = [places[position] for position in sorted(places)]
    if any(place >= rank(type) for place in order):
        return None
    shape, scalable = type.ranked_shape, flags(type)
    return vector_of([shape[i] for i in order] or [1], I1, [scalable[i] for i in order])


def map_of(op: Transfer) -> AffineMap:
    """From the dimensions of the memory to those of the vector."""
    return op.permutation_map.map


def in_bounds(op: Transfer) -> list[bool]:
    """Which dimensions of a transfer stay in the bounds."""
    return [element == TRUE for element in op.in_bounds.elements]


def transferred(op: Transfer) -> VectorType:
    """The vector that is read or written."""
    return vector_type(op.vector if isinstance(op, TransferReadOp) else op.valueToStore)
