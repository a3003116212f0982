"""Moves what a loop computes anew in each iteration, and which is always the same, in front of the loop.

    scf.for %i = … {                                    %0 = arith.addi %a, %b : i32
      %0 = arith.addi %a, %b : i32             ->       scf.for %i = … {
      use(%i, %0)                                         use(%i, %0)

Inner loops come first, so that what leaves one may leave the next. Source of the rules: *Passes*,
`-loop-invariant-code-motion`, and the order of mlir-opt 22.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from fathom.irdl.interfaces import LoopLike
from fathom.irdl.traits import TERMINATOR
from fathom.rewriting.observers import explaining
from fathom.rewriting.reasons import called, called_op, effect, speculation
from fathom.rewriting.speculation import is_pure
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value
    from fathom.rewriting.observers import Watch


def move_loop_invariants(root: Operation) -> None:
    """Works on `root`, if it is a loop, and on all loops in it."""
    for op in list(root.walk_postorder()):
        move_invariants_of(op)


def move_invariants_of(op: Operation) -> None:
    """The same of one operation alone, if it is a loop."""
    loop = op.interface(LoopLike)
    if loop is not None and op.parent is not None:
        for region in loop.regions(op):
            _move_out(op, region)


def _move_out(loop: Operation, region: Region) -> None:
    pending = deque(region.operations())
    while pending:
        checkpoint()
        op = pending.popleft()
        if op.parent_region is not region or not _is_invariant(op, loop) or not is_pure(op):
            continue
        users = [user for result in op.results for user in reversed(list(result.uses))]
        op.unlink()
        if loop.parent is not None:
            loop.parent.insert_before(op, loop)
        pending += (user for user in users if user.parent_region is region)
    if (watch := explaining()) is not None:
        _tell_what_stays(loop, region, watch)


def _tell_what_stays(loop: Operation, region: Region, watch: Watch) -> None:
    for op in region.operations():
        if op.has(TERMINATOR):
            continue
        watch.left(op, "hoist", _why_stays(op, loop))
        if op.interface(LoopLike) is None:
            for inner in (inner for inside in op.regions for inner in inside.operations()):
                if not inner.has(TERMINATOR):
                    watch.left(inner, "hoist", f"it could move only with the {called_op(op)} that it stands in")


def _why_stays(op: Operation, loop: Operation) -> str:
    """Why an operation of a loop is not moved in front of it."""
    for inner in op.walk():
        for operand in inner.operands:
            if not is_inside(operand, op) and is_inside(operand, loop):
                user = "it" if inner is op else f"the {called_op(inner)} in it"
                return f"{user} uses {called(operand)}, which the '{loop.name}' defines{_as_what(operand)}"
    return effect(op) or speculation(op)


def _as_what(operand: Value) -> str:
    definer = operand.defining_op
    return f" by '{definer.name}'" if definer is not None else " as an argument"


def _is_invariant(op: Operation, loop: Operation) -> bool:
    """Whether the operation, which ends no block, and what is nested in it use nothing that the loop defines."""
    if op.has(TERMINATOR):
        return False
    return all(
        is_inside(operand, op) or not is_inside(operand, loop) for inner in op.walk() for operand in inner.operands
    )


def is_inside(value: Value, op: Operation) -> bool:
    """Whether the value is defined in a region of the operation, however deep."""
    block = value.parent_block
    while block is not None:
        around = block.parent.parent if block.parent is not None else None
        if around is op:
            return True
        block = around.parent if around is not None else None
    return False
