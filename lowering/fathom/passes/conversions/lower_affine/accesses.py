"""Accesses to memrefs whose subscripts are affine, as accesses at indices: part of `lower-affine`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.dma import operands_of
from fathom.dialects.affine.syntax import map_of
from fathom.ir.operation import types_of
from fathom.passes.affine_expansion import expand_map
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.affine import DmaStartOp, DmaWaitOp, LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp
    from fathom.rewriting.rewriter import Rewriter


def convert_access(
    op: LoadOp | StoreOp | PrefetchOp | VectorLoadOp | VectorStoreOp, operands: list[Value], rewriter: Rewriter
) -> Failure | None:
    """
        %0 = affine.load %m[%i + 1] : memref<8xf32>
    becomes
        %1 = arith.addi %i, %c1 : index
        %0 = memref.load %m[%1] : memref<8xf32>
    and so do loads and stores of vectors, which become those of the vector dialect, and prefetches.
    """
    map = op.map.map
    first = len(operands) - map.inputs
    indices = expand_map(rewriter, map, operands[first:])
    if isinstance(indices, Failure):
        return indices
    properties = {name: value for name, value in op.properties.items() if name != "map"}
    values = [*operands[:first], *indices]
    rewriter.replace_with(op, _COUNTERPARTS[op.name], values, types_of(op.results), properties)
    return None


def convert_transfer(op: DmaStartOp | DmaWaitOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """
        affine.dma_start %src[%i + 1], %dst[%j], %tag[%k], %n : memref<…>, memref<…, 1>, memref<…>
    becomes `memref.dma_start`, which wants the number of elements before the tag; `affine.dma_wait` likewise.
    """
    parts = operands_of(op)
    if parts is None:
        return Failure("the transfer has too few operands")
    places: dict[str, list[Value]] = {}
    for name, (memref, values) in parts.places.items():
        indices = expand_map(rewriter, map_of(op, name), values)
        if isinstance(indices, Failure):
            return indices
        places[name] = [memref, *indices]
    count, *stride = parts.numbers
    tag = places.pop("tag_map")
    others = [value for place in places.values() for value in place]
    values = [*others, count, *tag, *stride] if others else [*tag, count]
    rewriter.replace_with(op, _COUNTERPARTS[op.name], values)
    return None


_COUNTERPARTS: Final = {
    "affine.load": "memref.load",
    "affine.store": "memref.store",
    "affine.prefetch": "memref.prefetch",
    "affine.vector_load": "vector.load",
    "affine.vector_store": "vector.store",
    "affine.dma_start": "memref.dma_start",
    "affine.dma_wait": "memref.dma_wait",
}

PATTERNS: Final = tuple(
    Pattern(
        name,
        convert_transfer if ".dma_" in name else convert_access,
        name=f"Affine{''.join(part.capitalize() for part in name.partition('.')[2].split('_'))}Lowering",
    )
    for name in _COUNTERPARTS
)
