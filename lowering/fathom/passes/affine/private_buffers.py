"""Buffers of their own for fused loops, in the place of larger ones.

Source of the rules: `createPrivateMemRef` of MLIR 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from fathom.ir.affine import AffineDim, AffineMap, add, negate, substitute
from fathom.ir.affine_simplification import simplify
from fathom.ir.attributes import i64_attr
from fathom.ir.dominance import Dominance, ancestor_in_block
from fathom.ir.types import MemRefType
from fathom.irdl.build import segment_sizes
from fathom.passes.affine.accesses import common_block
from fathom.passes.affine.memref_uses import replace_memref
from fathom.passes.affine.regions import element_bytes, region_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ops.affine import ForOp
    from fathom.passes.affine.accesses import Access
    from fathom.passes.affine.slices import Slice
    from fathom.rewriting.rewriter import Rewriter


def is_sized(memref: Value) -> bool:
    """Whether the elements of a memref have a size that is a number."""
    return isinstance(memref.type, MemRefType) and element_bytes(memref.type) is not None


class Buffers:
    """Makes buffers for a loop that another one was put into at a depth."""

    def __init__(
        self, loop: ForOp, slice: Slice, depth: int, space: int | None, threshold: int, rewriter: Rewriter
    ) -> None:
        self.loop = loop
        self.slice = slice
        self.depth = depth
        self.space = space
        self.threshold = threshold
        self.rewriter = rewriter

    def make(self, stores: Sequence[Access]) -> Value | None:
        """A buffer that has what is stored to a memref in one iteration of the loops up to the depth; None where it is
        not stored in one way."""
        if any(not stores[0].is_same(store) for store in stores[1:]):
            return None
        old = stores[0].memref
        region = region_of(stores[0], self.depth, drop_locals=False)
        box = region.box() if region is not None else None
        if region is None or box is None or not isinstance(old.type, MemRefType):
            return None
        outer = [value for value in region.system.symbols if value is not None]
        if len(outer) != len(region.system.symbols):
            return None
        made = self._allocate(old.type, box.sizes)
        rank, count = len(box.sizes), len(outer)
        offsets = [substitute(lower.results[0], (), [AffineDim(i) for i in range(count)]) for lower in box.lower]
        results = tuple(
            simplify(add(AffineDim(count + place), negate(offset)), count + rank, 0)
            for place, offset in enumerate(offsets)
        )
        first = self._first(stores)
        order = Dominance()
        replace_memref(
            old,
            made,
            AffineMap(count + rank, 0, results),
            outer,
            self.rewriter,
            lambda user: user is first or _is_in(user, first) or order.is_before(first, user),
        )
        return made

    def _allocate(self, type: MemRefType, sizes: Sequence[int]) -> Value:
        element = element_bytes(type)
        assert element is not None, "only sized elements are asked for"
        is_small = self.space is not None and prod(sizes) * element <= self.threshold
        space = i64_attr(self.space) if is_small and self.space is not None else type.space
        region = self.loop.parent_region
        assert region is not None, "the loop stands in a region"
        with self.rewriter.elsewhere(), self.rewriter.standing_in(self.loop):
            self.rewriter.set_insertion_to_start(region.entry)
            made = MemRefType(tuple(sizes), type.element, None, space)
            properties = {"operandSegmentSizes": segment_sizes(0, 0)}
            return self.rewriter.create("memref.alloc", [], [made], properties).result

    def _first(self, stores: Sequence[Access]) -> Operation:
        """The first operation with a store in it, in the innermost block around all stores and the slice."""
        block = self.slice.block
        for store in stores:
            other = block.first if block is not None else None
            block = common_block(store.op, other) if other is not None else None
        assert block is not None, "all are in the fused loop"
        ancestors = [op for store in stores if (op := ancestor_in_block(store.op, block)) is not None]
        first = ancestors[0]
        for op in ancestors[1:]:
            first = op if op is not first and op.is_before_in_block(first) else first
        return first


def _is_in(op: Operation, around: Operation) -> bool:
    return around.parent is not None and ancestor_in_block(op, around.parent) is around
