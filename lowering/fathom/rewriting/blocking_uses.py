"""The uses that are in the way of a slot that is to go, and of what hands it on: each has to go, or nothing does.

Source of the rules: `Mem2Reg.cpp` and `SROA.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, TypeAlias

from fathom.records import record
from fathom.rewriting.memory_slots import slot_use, uses_of_results

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.memory_slots import Use

    BlockingUses: TypeAlias = dict[Operation, set[int]]
    """The operands of each operation that have to go, by their numbers."""


@record(eq=False)
class Obstacle:
    """An operation for which a slot stays: of uses that cannot go, `places` are the numbers of its operands; of others
    `how` says what is wrong with it."""

    op: Operation
    places: Collection[int] = ()
    how: str = ""


def blocking_uses(
    uses: Iterable[Use], context: Definitions, may_go: Callable[[Operation, set[int]], bool]
) -> BlockingUses | Obstacle:
    """All uses that have to go for these to, or one that cannot. What hands nothing on `may_go` if it is said so."""
    uses_by_op: BlockingUses = {}
    for op, place in uses:
        uses_by_op.setdefault(op, set()).add(place)
    for op in _in_order(list(uses_by_op), context):
        if op not in uses_by_op:
            continue
        handing = slot_use(op, context).handing
        if handing is None:
            if not may_go(op, uses_by_op[op]):
                return Obstacle(op, uses_by_op[op])
            continue
        further = handing.needs(op, uses_by_op[op])
        if further is None:
            return Obstacle(op, uses_by_op[op])
        for user, place in further:
            uses_by_op.setdefault(user, set()).add(place)
    return uses_by_op


def _in_order(roots: list[Operation], context: Definitions) -> list[Operation]:
    """Some operations, and those to which what they hand on leads, each before its users."""
    done: list[Operation] = []
    seen: set[Operation] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(_users(root, context)))]
        while stack:
            op, rest = stack[-1]
            for user in rest:
                if user not in seen:
                    seen.add(user)
                    stack.append((user, iter(_users(user, context))))
                    break
            else:
                done.append(op)
                stack.pop()
    return done[::-1]


def _users(op: Operation, context: Definitions) -> list[Operation]:
    return [user for user, _ in uses_of_results(op)] if slot_use(op, context).handing is not None else []
