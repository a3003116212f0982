"""One loop nest, or a slice of it, put into another.

Source of the rules: `LoopFusionUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import canonicalize
from fathom.dialects.affine.loop_folds import set_bound
from fathom.ops.affine import ForOp, IfOp
from fathom.passes.affine.accesses import ACCESSES, READS, WRITES, Access, Outcome, accesses_in, dependence
from fathom.passes.affine.domains import common_loops, for_of, loops_around
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.promotion import promote_single_iteration
from fathom.passes.affine.reduction_loops import promote_reduction
from fathom.passes.affine.slices import Slice, Verdict, common_nest, contains_reduction, union_of_slices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


# ---- whether it may be


def slice_to_fuse(source: ForOp, target: ForOp, depth: int, sibling: Value | None = None) -> tuple[bool, Slice]:
    """Whether the slice of one nest that another one needs at a depth may stand in that, and the slice. What matters is
    what the first writes, or, of a sibling, what both read of one memref."""
    nothing = False, Slice()
    if source.parent is None or source.parent is not target.parent:
        return nothing
    is_backward = source.is_before_in_block(target)
    first, second = (source, target) if is_backward else (target, source)
    if not _has_place(first, second):
        return nothing
    one, other = _plain_accesses(first), _plain_accesses(second)
    if one is None or other is None:
        return nothing
    if sibling is None and _deepest(one, other) < depth:
        return nothing
    if sibling is None:
        chosen = [access for access in one if access.is_write]
    else:
        chosen = [access for access in one if not access.is_write and access.memref is sibling]
    verdict, slice = union_of_slices(chosen, other, depth, common_loops(source, target), is_backward=is_backward)
    return verdict is Verdict.FOUND, slice


def _plain_accesses(loop: ForOp) -> list[Access] | None:
    """The accesses in a loop; None where there is a condition in it."""
    ops = [*loop.walk_postorder()]
    count_steps(len(ops))
    return None if any(isinstance(op, IfOp) for op in ops) else accesses_in(ops)


def _deepest(one: Sequence[Access], other: Sequence[Access]) -> int:
    """How deep in the second nest the first may stand: not where an access depends on what is written in an outer
    iteration."""
    written = {access.memref for access in one if access.is_write}
    shared = {access.memref for access in other if not access.is_write and access.memref in written}
    concerned = [access for access in other if access.memref in shared]
    if not concerned:
        return 0
    depth = len(common_nest([access.op for access in concerned]))
    if not any(access.is_write for access in concerned):
        return depth
    for first in concerned:
        for second in concerned:
            for level in range(1, common_loops(first.op, second.op) + 2):
                if dependence(first, second, level).outcome is Outcome.SOME:
                    depth = min(depth, level - 1)
                    break
    return depth


def _written(op: Operation) -> dict[Value, bool]:
    """The memrefs that are accessed in an operation, and whether they are written."""
    written: dict[Value, bool] = {}
    for inner in op.walk():
        count_steps(1)
        if isinstance(inner, ACCESSES):
            written[inner.memref] = written.get(inner.memref, False) or isinstance(inner, WRITES)
    return written


def _depends(op: Operation, written: dict[Value, bool]) -> bool:
    if isinstance(op, READS):
        return written.get(op.memref, False)
    return isinstance(op, WRITES) and op.memref in written


def _has_place(first: ForOp, second: ForOp) -> bool:
    """Whether both loops may stand as one: nothing between them depends on the first, and stands before what the second
    depends on."""
    mine, theirs = _written(first), _written(second)
    is_behind = False
    op = first.next
    while op is not None and op is not second:
        inner = [*op.walk()]
        count_steps(len(inner))
        is_behind = is_behind or any(_depends(own_op, mine) for own_op in inner)
        if is_behind and any(_is_needed(own_op, second, theirs) for own_op in inner):
            return False
        op = op.next
    return True


def _is_needed(op: Operation, loop: ForOp, written: dict[Value, bool]) -> bool:
    if isinstance(op, ACCESSES):
        return _depends(op, written)
    return any(around is loop for result in op.results for user in result.uses for around in loops_around(user))


# ---- doing it


def fuse(source: ForOp, slice: Slice, rewriter: Rewriter, *, is_innermost_sibling: bool = False) -> None:
    """Puts a copy of a loop where its slice stands, with the bounds of the slice."""
    block = slice.block
    assert block is not None, "a slice was found"
    values: dict[Value, Value] = {}
    if slice.at_end:
        rewriter.set_insertion_before(block.end)
    else:
        rewriter.set_insertion_to_start(block)
    rewriter.clone(source, values)
    loops: list[ForOp] = []
    for variable, (lower, upper) in zip(slice.variables, slice.bounds, strict=True):
        loop = for_of(values.get(variable))
        if loop is None:
            continue
        loops.append(loop)
        for bound, is_upper in ((lower, False), (upper, True)):
            if bound is not None:
                set_bound(loop, *canonicalize(bound, slice.operands), is_upper=is_upper)
    is_unit = _is_unit(slice)
    for loop in loops:
        if is_innermost_sibling and contains_reduction(loop) and is_unit():
            promote_reduction(loop, rewriter)
        else:
            promote_single_iteration(loop, rewriter)


def _is_unit(slice: Slice) -> Callable[[], bool]:
    return lambda: slice.iterations() == 1
