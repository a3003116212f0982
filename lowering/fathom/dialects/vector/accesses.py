"""vector's accesses to memory, as pictures of access patterns need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineConstant, AffineDim
from fathom.ir.types import VectorType
from fathom.irdl.accesses import Access, Says, at

if TYPE_CHECKING:
    from fathom.ir.affine import AffineMap
    from fathom.ir.types import Type
    from fathom.ops import vector as ops


def _shape(type: Type) -> tuple[int, ...]:
    return type.shape or () if isinstance(type, VectorType) else ()


def _box(map: AffineMap, shape: tuple[int, ...]) -> tuple[int, ...]:
    """How many elements a transfer touches along each dimension of its source."""
    box = [1] * map.dims
    for result, size in zip(map.results, shape, strict=False):
        match result:
            case AffineDim(position):
                box[position] = size
            case AffineConstant(_):
                pass  # The one element is spread over this dimension of the vector.
            case _:
                return (1,) * map.dims
    return tuple(box)


def _load(op: ops.LoadOp) -> list[Access]:
    return [Access(op.base, at(*op.indices), reads=True, extent=_shape(op.results[0].type))]


def _store(op: ops.StoreOp) -> list[Access]:
    return [Access(op.base, at(*op.indices), writes=True, extent=_shape(op.valueToStore.type))]


def _transfer_read(op: ops.TransferReadOp) -> list[Access]:
    box = _box(op.permutation_map.map, _shape(op.vector.type))
    return [Access(op.base, at(*op.indices), reads=True, extent=box)]


def _transfer_write(op: ops.TransferWriteOp) -> list[Access]:
    box = _box(op.permutation_map.map, _shape(op.valueToStore.type))
    return [Access(op.base, at(*op.indices), writes=True, extent=box)]


ACCESSES: Final[Mapping[str, Says]] = {
    "vector.load": Says(accesses=_load),
    "vector.store": Says(accesses=_store),
    "vector.transfer_read": Says(accesses=_transfer_read),
    "vector.transfer_write": Says(accesses=_transfer_write),
}
