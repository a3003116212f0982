"""Whether something between two accesses may read or write what they are to.

Source of the rules: `hasNoInterveningEffect` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.traits import RECURSIVE_MEMORY_EFFECTS
from fathom.passes.affine.accesses import ACCESSES, Access, analysis_scope, dependence
from fathom.passes.affine.domains import common_loops
from fathom.passes.affine.effort import count_steps
from fathom.passes.loops.aliases import may_alias
from fathom.rewriting.effects import own_effects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fathom.ir.operation import Block, Operation
    from fathom.irdl.interfaces import EffectKind


class Interference:
    """What may come between accesses; `access_of` gives what is known of one."""

    def __init__(self, access_of: Callable[[Operation], Access]) -> None:
        self._access_of = access_of

    def first(self, kind: EffectKind, start: Operation, access: Access) -> Operation | None:
        """What runs after an operation and before an access, and may have an effect on what that is to; None if nothing
        does."""
        return next((op for op in _between(start, access.op) if self._has_effect(op, kind, start, access)), None)

    def _has_effect(self, op: Operation, kind: EffectKind, start: Operation, access: Access) -> bool:
        count_steps(8)
        effects = own_effects(op)
        if effects is None:
            if not op.has(RECURSIVE_MEMORY_EFFECTS):
                return True
            return any(
                self._has_effect(inner, kind, start, access)
                for region in op.regions
                for block in region.blocks
                for inner in block
            )
        memref = access.memref
        if not any(
            effect.kind is kind and (effect.value is None or effect.value is memref or may_alias(effect.value, memref))
            for effect in effects
        ):
            return False
        return not isinstance(op, ACCESSES) or self._may_reach(self._access_of(op), access, start)

    def _may_reach(self, first: Access, second: Access, start: Operation) -> bool:
        """Whether an access may be to what a later one is to, in the iterations of the loops around this and `start`:
        what comes before these, `start` hides."""
        if first.memref is not second.memref or analysis_scope(first.op) is not analysis_scope(second.op):
            return True
        outer = common_loops(start, second.op)
        return any(
            dependence(first, second, depth).may_be for depth in range(common_loops(first.op, second.op) + 1, outer, -1)
        )


def _between(start: Operation, end: Operation) -> Iterator[Operation]:
    """What may run after one operation and before another; of what is around the second, all."""
    if start.parent_region is not end.parent_region:
        around = end.parent_op
        assert around is not None, "the first stands in a region around the second"
        yield from _between(start, around)
        yield around
        return
    op = start.next
    while op is not None and op is not end:
        yield op
        op = op.next
    pending: list[Block] = list(start.parent.successors) if start.parent is not None and op is None else []
    if end.parent is start.parent:
        return
    seen: set[Block] = set()
    while pending:
        block = pending.pop()
        if block in seen:
            continue
        seen.add(block)
        for inner in block:
            if inner is end:
                break
            yield inner
        else:
            pending += block.successors
