"""Which affine loops may run their iterations in any order, and what they reduce to one value.

Source of the rules: `AffineAnalysis.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.view_flow import is_view
from fathom.ir.operation import BlockArgument
from fathom.ir.traversal import ancestors
from fathom.ir.types import MemRefType
from fathom.irdl.interfaces import EffectKind
from fathom.irdl.traits import TERMINATOR
from fathom.ops.affine import ForOp, IfOp, YieldOp
from fathom.passes.affine.accesses import ACCESSES, Access, dependence
from fathom.passes.affine.domains import nesting_depth
from fathom.passes.reductions import JOINED_BY
from fathom.records import record
from fathom.rewriting.effects import has_only_effect, has_only_effect_on, is_memory_effect_free

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value

_KINDS: Final = {f"arith.{name}": kind for kind, name in JOINED_BY.items()}


@record(eq=False)
class Reduction:
    """What a loop carries from one iteration to the next at a place, only to join a value with it: the keyword of how
    they are joined, the value, and the operation that joins them."""

    kind: str
    place: int
    value: Value
    combiner: Operation


def reductions(loop: ForOp) -> list[Reduction]:
    """Those of the values that a loop carries that are reductions by one operation of the arith dialect."""
    sums: list[Reduction] = []
    for place in range(len(loop.inits)):
        matched = match_reduction(loop.region.entry.arguments[1:], place)
        kind = _KINDS.get(matched[1].name) if matched is not None else None
        if matched is not None and kind is not None:
            sums.append(Reduction(kind, place, *matched))
    return sums


def match_reduction(carried: Sequence[BlockArgument], place: int) -> tuple[Value, Operation] | None:
    """The value that is joined with what is carried at a place, and the operation that joins them and whose result is
    yielded there; None where it is otherwise."""
    value = carried[place]
    if [*value.uses.values()] != [1]:
        return None
    (combiner,) = value.uses
    loop = value.block.parent.parent if value.block.parent is not None else None
    if len(combiner.operands) != 2 or loop is None or combiner.has(TERMINATOR):
        return None
    first, second = combiner.operands
    joined = second if first is value else first
    if _depends_on(joined, carried, loop) or not is_memory_effect_free(combiner):
        return None
    if len(combiner.results) != 1 or [*combiner.result.uses.values()] != [1] or combiner.parent_op is not loop:
        return None
    (end,) = combiner.result.uses
    if not end.has(TERMINATOR) or place >= len(end.operands) or end.operands[place] is not combiner.result:
        return None
    return joined, combiner


def _depends_on(value: Value, carried: Sequence[Value], loop: Operation) -> bool:
    """Whether a value is computed in a loop from what that carries."""
    outside = {loop, *ancestors(loop)}
    seen: set[Operation] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if any(current is other for other in carried):
            return True
        maker = current.defining_op
        if isinstance(current, BlockArgument):
            maker = current.block.parent.parent if current.block.parent is not None else None
        if maker is None or maker in outside or maker in seen:
            continue
        seen.add(maker)
        pending += maker.operands
    return False


def is_parallel(loop: ForOp, *, but_reductions: bool = False) -> bool:
    """Whether the iterations of a loop may run in any order; `but_reductions` says that what it carries may be such."""
    if loop.inits and not (but_reductions and len(reductions(loop)) == len(loop.inits)):
        return False
    return has_parallel_accesses(loop)


def accesses_outside(loop: ForOp) -> tuple[list[Access], Operation | None]:
    """The affine accesses of a loop to memory that is not made in it; and the first operation in it that does something
    else to memory, if there is one."""
    accesses: list[Access] = []
    for op in loop.walk_postorder():
        if isinstance(op, ACCESSES):
            if not is_made_in(op.memref, loop):
                accesses.append(Access(op))
        elif not isinstance(op, (ForOp, YieldOp, IfOp)) and not (
            has_only_effect(op, EffectKind.ALLOCATE) or is_memory_effect_free(op)
        ):
            return accesses, op
    return accesses, None


def has_parallel_accesses(loop: ForOp) -> bool:
    """Whether no iteration of a loop accesses memory that another one writes."""
    if any(isinstance(result.type, MemRefType) for result in loop.results):
        return False
    accesses, other = accesses_outside(loop)
    if other is not None:
        return False
    depth = nesting_depth(loop) + 1
    return not any(dependence(first, second, depth).may_be for first in accesses for second in accesses)


def is_made_in(value: Value, op: Operation) -> bool:
    """Whether a memref is allocated in an operation, also if it is seen through views."""
    maker = value.defining_op
    while maker is not None:
        if has_only_effect_on(maker, EffectKind.ALLOCATE, value) and any(above is op for above in ancestors(maker)):
            return True
        if not is_view(maker):
            return False
        value = maker.operands[0]
        maker = value.defining_op
    return False
