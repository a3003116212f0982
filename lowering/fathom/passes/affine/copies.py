"""Regions of memrefs, copied into buffers in another memory space, and back.

Source of the rules: `affineDataCopyGenerate` of MLIR 22.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import canonicalize
from fathom.dialects.affine.dma import MAPS
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, add, negate, substitute
from fathom.ir.affine_simplification import simplify_map
from fathom.ir.attributes import AffineMapAttr, i64_attr, index_attr
from fathom.ir.dominance import ancestor_in_block
from fathom.ir.types import I32, INDEX, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.ops.affine import ForOp
from fathom.passes.affine.boxes import bound_maps
from fathom.passes.affine.domains import variable
from fathom.passes.affine.making import apply_map, compose_applied, load, make_canonical_loop, store, subscripts
from fathom.passes.affine.memref_uses import replace_memref
from fathom.passes.affine.regions import element_bytes
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation, Value
    from fathom.passes.affine.regions import Box, Region
    from fathom.rewriting.rewriter import Rewriter


@record
class Spaces:
    """Where is copied from and to, how many bytes there may be, and whether transfers do it, with tags in a memory
    space of their own."""

    slow: int
    fast: int
    tags: int
    capacity: int
    by_transfer: bool


@record(frozen=False, eq=False)
class Place:
    """The operations from `begin` up to `end`, without it, of a block; and before which operations of which block what
    they need is copied in, and copied out."""

    block: Block
    begin: Operation
    end: Operation
    copies_in: Operation
    copies_out: Operation


class Copying:
    """Makes the copies of a range; each memref has one buffer, but those that are `kept`. `nests` are the loops that
    copy."""

    def __init__(self, entry: Block, spaces: Spaces, rewriter: Rewriter, kept: Collection[Value] = ()) -> None:
        self.entry = entry
        self.spaces = spaces
        self.rewriter = rewriter
        self.kept = kept
        self.nests: list[ForOp] = []
        self.bytes = 0
        self._buffers: dict[Value, Value] = {}

    def copy(self, region: Region, place: Place) -> bool:
        """Has the operations of a range use a buffer for a region; False where it has no size that is a number."""
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_to_start(self.entry)
            zero = self.rewriter.constant(index_attr(0), INDEX)
        box, type = region.box(), region.memref.type
        assert isinstance(type, MemRefType), "regions are of memrefs"
        if type.layout is not None or not type.ranked_shape or box is None or region.memref in self.kept:
            return False
        if not prod(box.sizes):
            return True
        bounds = _bounds(region)
        if bounds is None:
            return False
        with self.rewriter.standing_in(region.access.op):
            return _Copy(self, region, box, place, zero).make(bounds)

    def buffer(self, memref: Value, sizes: Sequence[int], before: Operation) -> tuple[Value, bool]:
        """The buffer of a memref, and whether it is new: then it is allocated there."""
        known = self._buffers.get(memref)
        if known is not None:
            return known, False
        assert isinstance(memref.type, MemRefType), "buffers are of memrefs"
        made = MemRefType(tuple(sizes), memref.type.element, None, _space(self.spaces.fast))
        self.bytes += prod(sizes) * (element_bytes(made) or 0)
        self._buffers[memref] = self.allocate(made, before)
        return self._buffers[memref], True

    def allocate(self, type: MemRefType, before: Operation) -> Value:
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_before(before)
            return self.rewriter.create("memref.alloc", [], [type], {"operandSegmentSizes": segment_sizes(0, 0)}).result


def _space(number: int) -> Attribute | None:
    return i64_attr(number) if number else None


def _bounds(region: Region) -> list[tuple[AffineMap, AffineMap]] | None:
    """The bounds of each dimension as maps of the symbols, which are dimensions of the maps."""
    system, rank = region.system, len(region.system.dims)
    if system.locals or any(value is None for value in system.symbols):
        return None
    maps = [bound_maps(system, dim, 0, rank, system.named) for dim in range(rank)]
    return maps if all(lower.results and upper.results for lower, upper in maps) else None


class _Copy:
    """One copy, in the making."""

    def __init__(self, copying: Copying, region: Region, box: Box, place: Place, zero: Value) -> None:
        self.copying = copying
        self.rewriter = copying.rewriter
        self.region = region
        self.sizes = box.sizes
        self.place = place
        self.zero = zero
        self.outer = [value for value in region.system.symbols if value is not None]
        dims = [AffineDim(index) for index in range(len(self.outer))]
        self.offsets = [substitute(lower.results[0], (), dims) for lower in box.lower]
        self.at = place.copies_out if region.is_written else place.copies_in

    def _number(self, value: int) -> Value:
        """A number, where the function begins."""
        top = self.zero.defining_op
        assert top is not None, "it was made"
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_before(top)
            return self.rewriter.constant(index_attr(value), INDEX)

    def make(self, bounds: Sequence[tuple[AffineMap, AffineMap]]) -> bool:
        place, rewriter, spaces = self.place, self.rewriter, self.copying.spaces
        last, ends_block = place.end.previous, place.end is place.copies_out
        indices = [self._index(offset) for offset in self.offsets]
        memref = self.region.memref
        buffer, is_new = self.copying.buffer(memref, self.sizes, place.copies_in)
        count = self._number(prod(self.sizes))
        strides: list[Value] | None = self._strides() if spaces.by_transfer else []
        if strides is None:
            return False
        rewriter.set_insertion_before(self.at)
        made: Operation
        if spaces.by_transfer:
            made, tag = self._transfer(buffer, indices, count, strides)
            end = self._free(tag)
        else:
            made = end = self._nest(buffer, bounds)
            self.copying.nests.append(made)
        if ends_block:
            place.end = made if self.region.is_written else end if spaces.by_transfer else place.end
        if is_new:
            freed = self._free(buffer)
            if not spaces.by_transfer and ends_block and not self.region.is_written:
                place.end = freed
        self._replace(buffer, last)
        return True

    def _index(self, offset: AffineExpr) -> Value:
        """Where a dimension of the box begins."""
        if isinstance(offset, AffineConstant):
            return self._number(offset.value) if offset.value else self.zero
        self.rewriter.set_insertion_before(self.at)
        return apply_map(self.rewriter, AffineMap(len(self.outer), 0, (offset,)), self.outer)

    def _free(self, memref: Value) -> Operation:
        self.rewriter.set_insertion_before(self.place.copies_out)
        return self.rewriter.create("memref.dealloc", [memref])

    def _replace(self, buffer: Value, last: Operation | None) -> None:
        """Has the range use the buffer. The operation that it begins with may be made anew."""
        place, count = self.place, len(self.outer)
        begin, before = place.begin, place.begin.previous

        def is_inside(user: Operation) -> bool:
            top = ancestor_in_block(user, place.block)
            if top is None or last is None or (top is not begin and top.is_before_in_block(begin)):
                return False
            return top is last or top.is_before_in_block(last)

        results = tuple(add(AffineDim(count + d), negate(offset)) for d, offset in enumerate(self.offsets))
        remap = AffineMap(count + len(results), 0, results)
        replace_memref(self.region.memref, buffer, remap, self.outer, self.rewriter, is_inside)
        first = place.block.first if before is None else before.next
        assert first is not None, "the block has an end"
        place.begin = first

    # ---- by loops

    def _nest(self, buffer: Value, bounds: Sequence[tuple[AffineMap, AffineMap]]) -> ForOp:
        """Loops over the box that copy each element."""
        rewriter, loops = self.rewriter, list[ForOp]()
        indices: list[Value] = []
        made: list[Value] = []
        for (lower, upper), offset in zip(bounds, self.offsets, strict=True):
            loops.append(make_canonical_loop(rewriter, (lower, self.outer), (upper, self.outer)))
            rewriter.set_insertion_before(loops[-1].region.entry.end)
            made.append(apply_map(rewriter, AffineMap(len(self.outer), 0, (offset,)), self.outer))
            indices.append(variable(loops[-1]))
        pairs = [value for pair in zip(made, indices, strict=True) for value in pair]
        exprs = tuple(add(AffineDim(2 * d + 1), negate(AffineDim(2 * d))) for d in range(len(indices)))
        map, operands = compose_applied(AffineMap(len(pairs), 0, exprs), pairs)
        inside = canonicalize(simplify_map(map), operands)
        for value in made:
            if not value.uses and value.defining_op is not None:
                rewriter.erase(value.defining_op)
        outside = subscripts(indices)
        memref = self.region.memref
        if self.region.is_written:
            store(rewriter, load(rewriter, buffer, *inside), memref, *outside)
        else:
            store(rewriter, load(rewriter, memref, *outside), buffer, *inside)
        return loops[0]

    # ---- by transfers

    def _strides(self) -> list[Value] | None:
        """How far apart what is transferred is, and how much at once; nothing where it is one piece, and None where one
        stride does not say it."""
        assert isinstance(self.region.memref.type, MemRefType), "regions are of memrefs"
        shape, sizes = self.region.memref.type.ranked_shape, self.sizes
        pairs: list[tuple[int, int]] = []
        stride = elements = 1
        for place in range(len(sizes) - 1, 0, -1):
            stride *= shape[place]
            elements *= sizes[place]
            if sizes[place] < shape[place] and sizes[place - 1] > 1:
                pairs.append((stride, elements))
        if len(pairs) > 1:
            return None
        return [self._number(value) for pair in pairs for value in pair]

    def _transfer(
        self, buffer: Value, indices: Sequence[Value], count: Value, strides: Sequence[Value]
    ) -> tuple[Operation, Value]:
        """A transfer and what waits for it; and the tag, which is new."""
        rewriter = self.rewriter
        tag = self.copying.allocate(MemRefType((1,), I32, None, _space(self.copying.spaces.tags)), self.place.copies_in)
        outside = (self.region.memref, *compose_applied(*subscripts(indices)))
        inside = (buffer, *subscripts([self.zero] * len(indices)))
        ends = (inside, outside) if self.region.is_written else (outside, inside)
        tags = (tag, *subscripts([self.zero]))
        operands: list[Value] = []
        for memref, _, values in (*ends, tags):
            operands += [memref, *values]
        maps = {name: AffineMapAttr(map) for name, (_, map, _) in zip(MAPS, (*ends, tags), strict=True)}
        rewriter.set_insertion_before(self.at)
        started = rewriter.create("affine.dma_start", [*operands, count, *strides], attributes=maps)
        rewriter.create("affine.dma_wait", [tag, self.zero, count], attributes={MAPS[-1]: maps[MAPS[-1]]})
        return started, tag
