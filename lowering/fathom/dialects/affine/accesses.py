"""affine's loops, accesses and indices, as pictures of access patterns need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.parallel import grouped, groups_of
from fathom.ir.affine import AffineMap
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import VectorType
from fathom.irdl.accesses import Access, Expressions, Loop, Says

if TYPE_CHECKING:
    from fathom.ir.types import Type
    from fathom.ops import affine as ops


def _for(op: ops.ForOp) -> list[Loop]:
    lower = Expressions(op.lowerBoundMap.map, op.lowerBoundOperands)
    upper = Expressions(op.upperBoundMap.map, op.upperBoundOperands)
    variable = op.region.first.arguments[0] if op.region.first is not None else None
    return [Loop(variable, lower, upper, op.step.value)]


def _parallel(op: ops.ParallelOp) -> list[Loop]:
    lower, upper = op.lowerBoundsMap.map, op.upperBoundsMap.map
    inner = op.region.first.arguments if op.region.first is not None else []
    steps = [step.value for step in op.steps.elements if isinstance(step, IntegerAttr)]
    lowers = _of_groups(lower, groups_of(op.lowerBoundsGroups))
    uppers = _of_groups(upper, groups_of(op.upperBoundsGroups))
    before = op.mapOperands[: lower.inputs], op.mapOperands[lower.inputs :]
    return [
        Loop(variable, Expressions(low, before[0]), Expressions(high, before[1]), step)
        for variable, low, high, step in zip(inner, lowers, uppers, steps, strict=False)
    ]


def _of_groups(map: AffineMap, sizes: list[int]) -> list[AffineMap]:
    """The map of each bound."""
    return [AffineMap(map.dims, map.symbols, tuple(results)) for results in grouped(map.results, sizes)]


def _load(op: ops.LoadOp) -> list[Access]:
    return [Access(op.memref, Expressions(op.map.map, op.indices), reads=True)]


def _store(op: ops.StoreOp) -> list[Access]:
    return [Access(op.memref, Expressions(op.map.map, op.indices), writes=True)]


def _shape(type: Type) -> tuple[int, ...]:
    return type.shape or () if isinstance(type, VectorType) else ()


def _vector_load(op: ops.VectorLoadOp) -> list[Access]:
    return [Access(op.memref, Expressions(op.map.map, op.indices), reads=True, extent=_shape(op.result.type))]


def _vector_store(op: ops.VectorStoreOp) -> list[Access]:
    return [Access(op.memref, Expressions(op.map.map, op.indices), writes=True, extent=_shape(op.value.type))]


def _apply(op: ops.ApplyOp) -> Expressions:
    return Expressions(op.map.map, op.mapOperands)


ACCESSES: Final[Mapping[str, Says]] = {
    "affine.apply": Says(index=_apply),
    "affine.for": Says(loops=_for),
    "affine.load": Says(accesses=_load),
    "affine.parallel": Says(loops=_parallel),
    "affine.store": Says(accesses=_store),
    "affine.vector_load": Says(accesses=_vector_load),
    "affine.vector_store": Says(accesses=_vector_store),
}
