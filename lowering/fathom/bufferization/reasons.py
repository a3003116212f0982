"""Why tensors are copied, said to whoever looks on at a pass: of each operand that is not in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.analysis import OneShotState
from fathom.bufferization.copies import operations_in
from fathom.bufferization.onlookers import Onlooker
from fathom.bufferization.order import Order
from fathom.bufferization.told import Rule
from fathom.bufferization.uses import tensor_uses
from fathom.ir.traversal import ancestors
from fathom.irdl.interfaces import LoopLike
from fathom.rewriting.loop_invariants import is_inside
from fathom.rewriting.reasons import called, called_op
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.bufferization.conflicts import Conflict
    from fathom.bufferization.state import AnalysisState
    from fathom.bufferization.uses import Use
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.observers import Watch

MOST: Final = 3
"""So many conflicts are told of an operand."""


class Teller(Onlooker):
    """Tells `watch` why operands are copied, and another onlooker, if there is one, of all."""

    def __init__(self, watch: Watch, other: Onlooker | None) -> None:
        self._watch = watch
        self._other = other or Onlooker()

    def decided(self, op: Operation, state: AnalysisState) -> None:
        self._other.decided(op, state)
        for inner in operations_in(op):
            checkpoint()
            for use in tensor_uses(inner):
                if not state.is_in_place(use):
                    self._watch.left(inner, f"in place (operand #{use.place})", why_copied(use, state), goes=True)

    def made(self, op: Operation) -> None:
        self._other.made(op)

    def dropped(self, op: Operation) -> None:
        self._other.dropped(op)

    def freed(self, memory: Value, before: Operation) -> None:
        self._other.freed(memory, before)

    def not_freed(self, function: Operation) -> None:
        self._other.not_freed(function)


def why_copied(use: Use, state: AnalysisState) -> str:
    """Why an operand is not in place, and what it has instead."""
    gets = "gets a buffer of its own" if state.can_omit_copy(use) else "is copied"
    against = state.against.get(use, ()) if isinstance(state, OneShotState) else ()
    order = Order(state)
    reasons = list(dict.fromkeys(_reason(conflict, use, order) for conflict in against))
    more = f"; and {len(reasons) - MOST} more" if len(reasons) > MOST else ""
    said = "; ".join(reasons[:MOST]) + more
    return f"{called(use.value)} {gets}: {said or 'no analysis was made, and each write is to a copy'}"


def _runs_again(op: Operation, value: Value) -> bool:
    """Whether an operation stands in a loop in which a value is not defined."""
    loops = (above for above in ancestors(op) if above.interface(LoopLike) is not None)
    return any(not is_inside(value, loop) for loop in loops)


def _reason(conflict: Conflict, use: Use, order: Order) -> str:
    written = called(conflict.definition)
    if conflict.rule is Rule.NOT_WRITABLE:
        return f"the buffer of {written} is not writable"
    if conflict.read is None:
        return f"all rounds of a parallel loop would write to the buffer of {written}"
    read, write = conflict.read.op, conflict.write.op
    writer = "this write" if write is use.op else f"the write of the {called_op(write)}"
    if read is write:
        again = ", in each round of the loop" if _runs_again(read, conflict.definition) else ""
        return f"the {called_op(read)} reads {called(conflict.read.value)} and writes the same buffer{again}"
    again = ", in a later round of the loop" if order.is_before(read, write) else ""
    return f"the {called_op(read)} reads {called(conflict.read.value)} after {writer}{again}, and must find {written}"
