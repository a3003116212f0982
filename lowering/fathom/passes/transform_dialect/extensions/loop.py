"""Transforms of loops.

Source of the rules: `LoopExtensionOps.cpp` and `SCFTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.scf.parallel import bounds_of
from fathom.irdl.interfaces import LoopLike
from fathom.ops import transform as ops
from fathom.ops.scf import ForallOp, ForOp
from fathom.passes.index_arithmetic import values_of
from fathom.passes.loops.peeling import peel_first, peel_last
from fathom.passes.loops.shared import to_parallel, to_sequential
from fathom.passes.loops.subsets import hoist_subsets_of
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.loop.hoist_loop_invariant_subsets")
@each(of=lambda target: target.interface(LoopLike) is not None)
def hoist_loop_invariant_subsets(op: Operation, target: Operation, run: Application) -> None:
    if isinstance(target, ForOp):
        hoist_subsets_of(target, run.rewriter)


def _only_forall(op: ops.LoopForallToForOp | ops.LoopForallToParallelOp, run: Application) -> ForallOp:
    targets = run.ops(op.target)
    if len(targets) != 1:
        raise run.silenceable("expected a single payload op")
    (target,) = targets
    if not isinstance(target, ForallOp):
        raise run.silenceable("expected the payload to be scf.forall", ("payload op", target))
    if target.outputs:
        raise run.silenceable("unsupported shared outputs (didn't bufferize?)")
    return target


@transforms("transform.loop.forall_to_for")
def forall_to_for(op: ops.LoopForallToForOp, run: Application) -> None:
    """A nest of loops, a result for each."""
    target = _only_forall(op, run)
    lower, upper, steps = bounds_of(target)
    if len(lower) != len(op.transformed):
        counts = f"({len(op.transformed)}) as payload has induction variables ({len(lower)})"
        raise run.silenceable(f"op expects as many results {counts}", ("payload op", target))
    before, block = target.previous, target.parent
    assert block is not None, "a loop stands in a block"
    run.rewriter.set_insertion_before(target)
    run.rewriter.stand_in(target)
    to_sequential(target, [values_of(run.rewriter, bound) for bound in (lower, upper, steps)], run.rewriter)
    made = before.next if before is not None else block.first
    loops = [each for each in (made.parent or block) if isinstance(each, ForOp)] if made is not None else []
    loop = next((each for each in loops if before is None or before.is_before_in_block(each)), None)
    for result in op.transformed:
        run.set(result, [loop] if loop is not None else [])
        loop = next((each for each in loop.region.entry if isinstance(each, ForOp)), None) if loop is not None else None


@transforms("transform.loop.forall_to_parallel")
def forall_to_parallel(op: ops.LoopForallToParallelOp, run: Application) -> None:
    target = _only_forall(op, run)
    if len(op.transformed) != 1:
        message = f"op expects one result, given {len(op.transformed)}"
        raise run.silenceable(message, ("payload op", target))
    following, block = target.next, target.parent
    assert block is not None, "a loop stands in a block"
    run.rewriter.set_insertion_before(target)
    run.rewriter.stand_in(target)
    to_parallel(target, [values_of(run.rewriter, bound) for bound in bounds_of(target)], run.rewriter)
    made = following.previous if following is not None else block.last
    run.set(op.transformed[0], [made] if made is not None else [])


@transforms("transform.loop.peel")
@each(of=lambda target: isinstance(target, ForOp))
def peel(op: ops.LoopPeelOp, target: ForOp, run: Application) -> list[Operation]:
    """A loop that is left with whole iterations, and the one that has the other one."""
    is_first = bool(op.peel_front.value)
    other = (peel_first if is_first else peel_last)(target, run.rewriter)
    if other is None:
        raise run.silenceable(f"failed to peel the {'first' if is_first else 'last'} iteration")
    return [target, other]
