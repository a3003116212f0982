"""Slots of memory that hold several things become several slots, of which each holds one.

    %m = memref.alloca() : memref<2xi32>              %m0 = memref.alloca() : memref<i32>
    memref.store %a, %m[%c0]                  ->      %m1 = memref.alloca() : memref<i32>
    memref.store %b, %m[%c1]                          memref.store %a, %m0[]  …

A slot is divided if all that uses its pointer does so by its parts, or can do without. Source of the rules: `SROA.cpp`
of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.records import record
from fathom.rewriting.blocking_uses import Obstacle, blocking_uses
from fathom.rewriting.memory_slots import Slot, erase_all, insert_after, replace_slots, slot_use, uses_of
from fathom.rewriting.observers import explaining
from fathom.rewriting.order import Order
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.slot_reasons import tell_undivided
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.blocking_uses import BlockingUses
    from fathom.rewriting.memory_slots import Allocation, Index, Use


@record(frozen=False)
class Divided:
    """How many slots were divided, how many of them needed less memory afterwards, and the most parts of one."""

    slots: int = 0
    smaller: int = 0
    most_parts: int = 0


def divide_slots(region: Region, context: Definitions) -> Divided:
    """Divides as many slots as can be in a region, also those that come of it."""
    divided = Divided()
    known = _Known(region, context)
    replace_slots(region, context, lambda op: _divide(op, known, divided))
    return divided


class _Known:
    """What is used throughout."""

    def __init__(self, region: Region, context: Definitions) -> None:
        self.context = context
        self.rewriter = Rewriter(context)
        self.order = Order(region)


def _divide(op: Operation, known: _Known, divided: Divided) -> list[Operation] | None:
    """The slots that what an operation allocates became; None where it stays."""
    checkpoint()
    allocation = slot_use(op, known.context).allocation
    if allocation is None:
        return None
    slot = allocation.divisible(op)
    if isinstance(slot, str) or slot.parts is None or not slot.pointer.uses:
        if (watch := explaining()) is not None:
            tell_undivided(op, slot, known.context, watch)
        return None
    division = _Division(op, allocation, slot, known)
    obstacle = division.obstacle()
    if obstacle is not None:
        if (watch := explaining()) is not None:
            tell_undivided(op, slot, known.context, watch, obstacle)
        return None
    made = division.divide()
    divided.slots += 1
    divided.smaller += len(made) != len(slot.parts)
    divided.most_parts = max(divided.most_parts, len(slot.parts))
    return made


class _Division:
    """What is found out of one slot, and done about it."""

    def __init__(self, op: Operation, allocation: Allocation, slot: Slot, known: _Known) -> None:
        self.op, self.allocation, self.slot, self.known = op, allocation, slot, known
        self._used: dict[Index, None] = {}
        self._accesses: list[Operation] = []
        self._blocking: BlockingUses = {}

    def obstacle(self) -> Obstacle | None:
        """For what the slot stays; None where all uses of it are of its parts, or can go."""
        in_the_way: list[Use] = []
        safely: list[Slot] = []
        for op, place in uses_of(self.slot.pointer):
            access = slot_use(op, self.known.context).part_access
            parts = access.parts(op, self.slot) if access is not None else None
            if parts is None:
                in_the_way.append((op, place))
                continue
            self._used.update(dict.fromkeys(parts[0]))
            safely += parts[1]
            self._accesses.append(op)
        in_the_way += self._used_unsafely(safely)
        blocking = blocking_uses(in_the_way, self.known.context, lambda op, uses: False)
        if isinstance(blocking, Obstacle):
            return blocking
        self._blocking = blocking
        return None

    def _used_unsafely(self, pending: list[Slot]) -> list[Use]:
        """The uses of slots, and of those that they become, that may reach beyond them."""
        uses: list[Use] = []
        visited: set[Use] = set()
        while pending:
            slot = pending.pop()
            for use in uses_of(slot.pointer):
                if use in visited:
                    continue
                visited.add(use)
                safely = slot_use(use[0], self.known.context).safely
                further = safely(use[0], slot) if safely is not None else None
                if further is None:
                    uses.append(use)
                else:
                    pending += further
        return uses

    def divide(self) -> list[Operation]:
        """Makes the slots of the parts that are used, in place of the slot, and returns what allocates them."""
        rewriter, parts = self.known.rewriter, self.slot.parts or {}
        insert_after(rewriter, self.op)
        made = {index: self.allocation.part(self.op, parts[index], rewriter) for index in self._used}
        slots = {index: Slot(op.results[0], parts[index]) for index, op in made.items()}
        gone: list[Operation] = []
        for op in reversed(self.known.order.sorted({*self._accesses, *self._blocking})):
            use = slot_use(op, self.known.context)
            insert_after(rewriter, op)
            if use.part_access is not None:
                goes = use.part_access.rewire(op, self.slot, slots, rewriter)
            else:
                goes = use.handing is not None and use.handing.replace(op, self._blocking[op], rewriter)
            if goes:
                gone.append(op)
        erase_all(gone)
        self.op.erase()
        return list(made.values())
