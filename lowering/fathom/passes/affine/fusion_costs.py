"""What it costs, and saves, to fuse loop nests: operations that are done again, and memory.

Source of the rules: `LoopFusion.cpp` and `LoopFusionUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ops.affine import ForOp, IfOp
from fathom.passes.affine.accesses import READS, WRITES
from fathom.passes.affine.domains import loops_around
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.regions import footprint, region_of
from fathom.passes.affine.trip_counts import constant_trip_count
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.passes.affine.accesses import Access
    from fathom.passes.affine.slices import Slice


@record(eq=False)
class Stats:
    """Of each loop of a nest the loops directly in it, how many operations besides, and how often it runs."""

    inner: dict[Operation, list[ForOp]]
    operations: dict[Operation, int]
    trips: dict[Operation, int]


def stats_of(root: ForOp) -> Stats | None:
    """None where a loop does not run a known number of times, or does not stand in another one directly."""
    stats = Stats({}, {}, {})
    for loop in root.walk_postorder():
        count_steps(4)
        if not isinstance(loop, ForOp):
            continue
        around = loop.parent_op
        if loop is not root:
            if not isinstance(around, ForOp):
                return None
            stats.inner.setdefault(around, []).append(loop)
        trips = constant_trip_count(loop)
        if trips is None:
            return None
        stats.operations[loop] = sum(not isinstance(op, (ForOp, IfOp)) for op in loop.region.entry)
        stats.trips[loop] = trips
    return stats


def cost(
    loop: Operation,
    stats: Stats,
    trips: Mapping[Operation, int] | None = None,
    besides: Mapping[Operation, int] | None = None,
) -> int:
    """How many operations a nest does; with `trips` of its loops, and so many operations more in some."""
    operations = stats.operations.get(loop, 0) - 1
    operations += sum(cost(inner, stats, trips, besides) for inner in stats.inner.get(loop, ()))
    operations += (besides or {}).get(loop, 0)
    return (trips or {}).get(loop, stats.trips.get(loop, 0)) * operations


def _fused_cost(source: ForOp, target: ForOp, stats: tuple[Stats, Stats], slice: Slice) -> int | None:
    """How many operations the second nest does with the slice of the first in it."""
    trips = slice.trips()
    iterations = slice.iterations()
    if trips is None or slice.block is None or slice.block.parent is None:
        return None
    around = slice.block.parent.parent
    if not isinstance(around, ForOp):
        return None
    besides: dict[Operation, int] = {}
    if iterations == 1:
        _count_forwarded(source, around, besides)
    of_slice = cost(source, stats[0], trips, besides)
    besides[around] = of_slice
    return cost(target, stats[1], None, besides)


def _count_forwarded(source: ForOp, around: ForOp, besides: dict[Operation, int]) -> None:
    """What is stored in the only iteration of a slice is handed on: neither stores nor loads remain."""
    stores = [op for op in source.walk() if isinstance(op, WRITES)]
    if stores:
        besides[around] = -len(stores)
    memrefs: dict[Value, None] = dict.fromkeys(op.memref for op in stores)
    for memref in memrefs:
        for user in memref.uses:
            count_steps(4)
            inside = user.parent_op
            if isinstance(user, READS) and isinstance(inside, ForOp) and around in loops_around(user):
                besides[inside] = besides.get(inside, 0) - 1


@record(eq=False)
class Weighed:
    """How much more is done, as a part of what is done now."""

    more: float


def additional_compute(source: ForOp, target: ForOp, slice: Slice) -> Weighed | None:
    """How much more is done if a slice of one nest stands in the other; None where that is not known."""
    one, other = stats_of(source), stats_of(target)
    if one is None or other is None or slice.is_empty:
        return None
    fused = _fused_cost(source, target, (one, other), slice)
    now = cost(source, one) + cost(target, other)
    if fused is None:
        return None
    return Weighed(fused / now - 1 if now else float("inf"))


def best_depth(
    source: ForOp, target: ForOp, producers: Sequence[Access], slices: Sequence[Slice], deepest: int, tolerance: float
) -> int | None:
    """At which depth it saves the most memory to fuse, and no more is done than is tolerated; None where at none.
    `slices` are those at the depths from one on."""
    if stats_of(source) is None or stats_of(target) is None:
        return None
    if len(producers) > 1:
        weighed = additional_compute(source, target, slices[deepest - 1])
        return deepest if weighed is not None and weighed.more <= tolerance else None
    (store,) = producers
    written = region_of(store, 0)
    whole = written.bytes() if written is not None else None
    if whole is None:
        return None
    best: tuple[float, int, int] | None = None
    for depth in range(deepest, 0, -1):
        slice = slices[depth - 1]
        weighed = additional_compute(source, target, slice)
        part = region_of(store, 0, slice) if weighed is not None else None
        size = part.bytes() if part is not None else None
        if weighed is None or not size:
            continue
        saved = whole / size
        if (best is None or saved > best[0]) and saved > 0 and weighed.more <= tolerance:
            best = saved, depth, size
    if best is None:
        return None
    of_target, of_source = footprint(target), footprint(source)
    if of_target is None or of_source is None or of_target + best[2] > of_source + of_target:
        return None
    return best[1]
