"""Affine loops whose iterations may run in any order, as `affine.parallel`.

    affine.for %i = 0 to %n { … }    ->    affine.parallel (%i) = (0) to (symbol(%n)) { … }

Source of the rules: `AffineParallelize.cpp` of MLIR 22.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fathom.dialects.affine.loop_folds import bound_operands
from fathom.dialects.affine.parallel import group_sizes
from fathom.dialects.memref.access import KINDS
from fathom.ir.attributes import ArrayAttr, i64_attr
from fathom.ir.operation import Region, types_of
from fathom.ir.traversal import ancestors
from fathom.irdl.traits import AFFINE_SCOPE
from fathom.ops.affine import ForOp, ParallelOp
from fathom.passes.affine.effort import explained
from fathom.passes.affine.parallelism import is_parallel, reductions
from fathom.passes.affine.reasons import why_not_parallel
from fathom.rewriting.observers import explaining
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.affine.parallelism import Reduction


def parallelize(root: Operation, context: Context, most: int, *, reduce: bool) -> list[Diagnostic]:
    """Makes the loops parallel that can be, the outer ones first, with at most so many in one another. `reduce` says
    that they may reduce values."""
    rewriter = Rewriter(context)
    watch = explaining()
    loops: list[ForOp] = []
    for op in root.walk():
        if isinstance(op, ForOp):
            if is_parallel(op, but_reductions=reduce):
                loops.append(op)
            elif watch is not None:
                why = explained(watch, partial(why_not_parallel, op, but_reductions=reduce))
                watch.left(op, "make parallel", why)
    for loop in loops:
        if _parallel_around(loop) < most:
            _replace(loop, reductions(loop), rewriter)
        elif watch is not None:
            watch.left(loop, "make parallel", f"there are {most} parallel loops around it, and max-nested is {most}")
    return []


def _parallel_around(op: Operation) -> int:
    """How many parallel loops an operation stands in."""
    count = 0
    for above in ancestors(op):
        if above.has(AFFINE_SCOPE):
            break
        count += isinstance(above, ParallelOp)
    return count


def _replace(loop: ForOp, reduced: Sequence[Reduction], rewriter: Rewriter) -> None:
    rewriter.set_insertion_before(loop)
    rewriter.stand_in(loop)
    lower, upper = bound_operands(loop)
    initial, end, body = loop.inits, loop.region.entry.end, loop.region.entry
    values = [reduction.value for reduction in reduced]
    region = Region()
    region.take_blocks(loop.region)
    made = rewriter.create(
        "affine.parallel",
        [*lower, *upper],
        types_of(values),
        {
            "reductions": ArrayAttr(tuple(i64_attr(KINDS[reduction.kind]) for reduction in reduced)),
            "lowerBoundsMap": loop.lowerBoundMap,
            "lowerBoundsGroups": group_sizes([len(loop.lowerBoundMap.map.results)]),
            "upperBoundsMap": loop.upperBoundMap,
            "upperBoundsGroups": group_sizes([len(loop.upperBoundMap.map.results)]),
            "steps": ArrayAttr((i64_attr(loop.step.value),)),
        },
        regions=[region],
    )
    block = loop.parent
    assert block is not None, "a loop stands in a block"
    # What the iterations reduce to begins with what changes nothing, and is joined with the initial value behind them.
    end.set_operands(values)
    for reduction, first, result in zip(reduced, initial, made.results, strict=True):
        combiner = reduction.combiner
        rewriter.move_before(combiner, block, loop)
        combiner.set_operands([first, result])
        rewriter.replace_all_uses(loop.results[reduction.place], combiner.result)
    body.erase_arguments(range(1, len(body.arguments)))
    rewriter.erase(loop)
