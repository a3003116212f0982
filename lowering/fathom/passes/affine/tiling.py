"""Perfect nests of affine loops in tiles: loops over the tiles, and in them loops over what is in a tile.

    affine.for %i = 0 to %n { "use"(%i) }
->
    affine.for %t = 0 to %n step 32 { affine.for %i = %t to min (d0 + 32, s0)(%t)[%n] { "use"(%i) } }

Source of the rules: `LoopTiling.cpp` and `LoopUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.loop_folds import bound_operands
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, add, identity_map
from fathom.ops.affine import ForOp
from fathom.passes.affine.accesses import ACCESSES, all_distances
from fathom.passes.affine.domains import index_set
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.making import make_loop
from fathom.passes.affine.nests import perfect_nest
from fathom.passes.affine.regions import footprint
from fathom.passes.affine.separation import separate_full_tiles
from fathom.passes.affine.trip_counts import constant_trip_count, lower_bound, trip_count_divisor, upper_bound
from fathom.passes.affine.unrolling import GREATEST
from fathom.records import record
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.dialects.affine.composition import Applied
    from fathom.ir.operation import Operation

USUAL: Final = 4
"""How many iterations a tile has where nothing says it."""
_BITS: Final = 32
"""Sizes of tiles are numbers of so many bits."""


@record
class Sizes:
    """How many iterations a tile has: one number for all loops, if it is not zero; or one for each; or as many as have
    a tile fit into a cache of so many KiB."""

    of_all: int
    of_each: tuple[int, ...]
    cache: int

    def of(self, nest: Sequence[ForOp]) -> list[int]:
        count = len(nest)
        if self.of_all:
            return [self.of_all] * count
        if self.of_each:
            return [*self.of_each, *[USUAL] * count][:count]
        if self.cache == 0:
            return [1] * count
        accessed = footprint(nest[0])
        if accessed is None:
            return _dividing(nest, [USUAL] * count)
        excess = -(-accessed // (self.cache * 1024))
        if excess <= 1:
            return [1] * count
        size = int(excess ** (1.0 / count))
        sizes = [size] * (count - 1)
        last = max(1, (excess // size ** (count - 1)) % (1 << _BITS))
        return _dividing(nest, [*sizes, last])


def _dividing(nest: Sequence[ForOp], sizes: Sequence[int]) -> list[int]:
    """The greatest sizes up to these that divide how often the loops run, where that is known."""
    divisors: list[int] = []
    for loop, size in zip(nest, sizes, strict=True):
        count = constant_trip_count(loop)
        if count is not None:
            size = count // 2 if count > 1 and size > count // 2 else size
            while count % size:
                count_steps(1)
                size -= 1
        divisors.append(size)
    return divisors


def tile_nests(root: Operation, context: Context, sizes: Sizes, *, separate: bool) -> list[Diagnostic]:
    """Tiles the nests that stand directly in a function. With `separate`, tiles that are whole have loops of their
    own."""
    rewriter = Rewriter(context)
    nests = [perfect_nest(op, ForOp) for op in root.regions[0].operations() if isinstance(op, ForOp)]
    valid = [nest for nest in nests if _may_tile(nest)]
    for nest in valid:
        inner = tile(nest, sizes.of(nest), rewriter)
        if inner and separate:
            separate_full_tiles(inner, rewriter)
    return []


def _may_tile(nest: Sequence[ForOp]) -> bool:
    """Whether no dependence runs against the order in which tiles come."""
    accesses = [op for op in nest[0].walk_postorder() if isinstance(op, ACCESSES)]
    return not any(
        apart.greatest is not None and apart.greatest < 0 and (apart.least is None or apart.least < apart.greatest)
        for distance in all_distances(accesses, len(nest) + 1)
        for apart in distance
    )


def _is_rectangular(nest: Sequence[ForOp]) -> bool:
    """Whether no bound depends on the variable of another of the loops. MLIR does not see one in a quotient, and what
    it makes is not valid."""
    if len(nest) <= 1:
        return True
    variables = {loop.region.entry.arguments[0] for loop in nest}
    return index_set(nest) is not None and not any(
        value in variables for loop in nest for values in bound_operands(loop) for value in values
    )


def tile(nest: Sequence[ForOp], sizes: Sequence[int], rewriter: Rewriter) -> list[ForOp]:
    """Tiles a nest; the loops over what is in a tile. None where it cannot be tiled."""
    steps = [size * loop.step.value for loop, size in zip(nest, sizes, strict=True)]
    if 0 in sizes or any(abs(step) > GREATEST for step in steps):
        return []
    if any(loop.results for loop in nest) or not _is_rectangular(nest):
        return []
    root = nest[0]
    rewriter.set_insertion_before(root)
    rewriter.stand_in(root)
    outer: list[ForOp] = []
    for loop, step in zip(nest, steps, strict=True):
        outer.append(make_loop(rewriter, lower_bound(loop), upper_bound(loop), step))
        rewriter.set_insertion_before(outer[-1].region.entry.end)
    inner: list[ForOp] = []
    for loop, around, size in zip(nest, outer, sizes, strict=True):
        start: Applied = identity_map(1), [around.region.entry.arguments[0]]
        inner.append(make_loop(rewriter, start, _end_of_tile(loop, around, size), loop.step.value))
        rewriter.set_insertion_before(inner[-1].region.entry.end)
    body = inner[-1].region.entry
    for op in list(nest[-1].region.entry)[:-1]:
        rewriter.move_before(op, body, body.last)
    for loop, new in zip(nest, inner, strict=True):
        rewriter.replace_all_uses(loop.region.entry.arguments[0], new.region.entry.arguments[0])
    # What the bounds of the new loops are made of is used by the old ones still, but never the other way round.
    rewriter.erase(root)
    return inner


def _end_of_tile(loop: ForOp, around: ForOp, size: int) -> Applied:
    """Where a tile ends that begins with a loop's variable: so many iterations on, and no later than the nest."""
    start, step, count = around.region.entry.arguments[0], loop.step.value, constant_trip_count(loop)
    if count is not None and count < size:
        size = count
    elif trip_count_divisor(loop) % size != 0:
        map, values = upper_bound(loop)
        end = add(AffineDim(map.dims), AffineConstant(size * step))
        joined = AffineMap(map.dims + 1, map.symbols, (end, *map.results))
        return joined, [*values[: map.dims], start, *values[map.dims :]]
    return AffineMap(1, 0, (add(AffineDim(0), AffineConstant(size * step)),)), [start]
