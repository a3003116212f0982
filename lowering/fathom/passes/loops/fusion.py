"""`scf.parallel` behind each other over the same bounds become one, if neither reads what the other writes elsewhere.

Source of the rules: `ParallelLoopFusion.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.dominance import Dominance
from fathom.ir.operation import Block, Region
from fathom.ops.memref import LoadOp, StoreOp
from fathom.ops.scf import ParallelOp
from fathom.passes.loops.aliases import may_alias
from fathom.passes.loops.making import block_of, parallel
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.equivalence import shape_key
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation, Value


def fuse_parallel_loops(root: Operation, context: Context) -> None:
    """In each block the loops between which nothing has an effect."""
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        for region in op.regions:
            for block in region.blocks:
                for chain in _chains(block):
                    _fuse(chain, rewriter)


def _chains(block: Block) -> list[list[ParallelOp]]:
    chains: list[list[ParallelOp]] = [[]]
    for op in block:
        if isinstance(op, ParallelOp):
            chains[-1].append(op)
        elif op.regions or not is_memory_effect_free(op):
            chains.append([])
    return chains


def _fuse(chain: Sequence[ParallelOp], rewriter: Rewriter) -> None:
    previous: ParallelOp | None = None
    for op in chain:
        previous = op if previous is None or not _may_fuse(previous, op) else _fused(previous, op, rewriter)


def _may_fuse(first: ParallelOp, second: ParallelOp) -> bool:
    if any(isinstance(op, ParallelOp) for loop in (first, second) for op in loop.region.walk()):
        return False
    bounds = [(loop.lowerBound, loop.upperBound, loop.step) for loop in (first, second)]
    if bounds[0] != bounds[1]:
        return False
    if not _are_independent(first, second) or not _are_independent(second, first):
        return False
    order = Dominance()
    return all(order.is_before(second, user) for result in first.results for user in result.uses)


def _are_independent(first: ParallelOp, second: ParallelOp) -> bool:
    """Whether all that the second loop loads, the first stores nowhere, or in the same iteration."""
    same: dict[Value, Value] = dict(zip(first.region.entry.arguments, second.region.entry.arguments, strict=True))
    stores = [op for op in first.region.walk() if isinstance(op, StoreOp)]
    for load in second.region.walk():
        if not isinstance(load, LoadOp):
            continue
        maker = load.memref.defining_op
        if maker is not None and maker.parent is load.parent:
            return False
        if any(store.memref is not load.memref and may_alias(store.memref, load.memref) for store in stores):
            return False
        places = [store.indices for store in stores if store.memref is load.memref]
        if not places:
            continue
        if any(place != places[0] for place in places) or len(places[0]) != len(load.indices):
            return False
        if not all(_are_equal(a, b, same) for a, b in zip(places[0], load.indices, strict=True)):
            return False
    return True


def _are_equal(one: Value, other: Value, same: dict[Value, Value]) -> bool:
    """Whether two indices are computed in the same way of the same indices of their loops."""
    if same.get(one, one) is other:
        return True
    makers = one.defining_op, other.defining_op
    if makers[0] is None or makers[1] is None or shape_key(makers[0]) != shape_key(makers[1]) or makers[0].regions:
        return False
    if not all(is_memory_effect_free(maker) for maker in makers if maker is not None):
        return False
    pairs = zip(makers[0].operands, makers[1].operands, strict=True)
    return all(same.get(a, a) is same.get(b, b) for a, b in pairs)


def _fused(first: ParallelOp, second: ParallelOp, rewriter: Rewriter) -> ParallelOp:
    """The second loop with the body of the first in front of its own."""
    rewriter.set_insertion_before(second)
    rewriter.stand_in(second)
    bodies = first.region.entry, second.region.entry
    ends = bodies[0].end, bodies[1].end
    body = block_of(rewriter, [argument.type for argument in bodies[1].arguments])
    bounds = second.lowerBound, second.upperBound, second.step
    initial = [*first.initVals, *second.initVals]
    made = parallel(rewriter, bounds, initial, Region([body]))
    regions = [region for end in ends for region in end.regions]
    reductions = [Region() for _ in regions]
    for region, target in zip(regions, reductions, strict=True):
        target.take_blocks(region)
        for argument in target.entry.arguments:
            argument.span, argument.location = ends[1].span, ends[1].location
    for source in bodies:
        rewriter.inline_block_before(source, body, None, body.arguments)
    rewriter.set_insertion_to_end(body)
    with rewriter.standing_in(ends[1] if initial else second):
        reduced = [value for end in ends for value in end.operands]
        rewriter.create("scf.reduce", reduced, regions=reductions)
    for end in ends:
        end.erase()
    for loop, results in ((first, made.results[: len(first.results)]), (second, made.results[len(first.results) :])):
        for old, new in zip(loop.results, results, strict=True):
            old.replace_all_uses_with(new)
        loop.erase()
    assert isinstance(made, ParallelOp), "it was made as one"
    return made
