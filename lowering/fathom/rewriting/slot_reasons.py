"""Why slots of memory stay as they are, and what accesses them with them, said to whoever looks on.

Who stands in the way is found by `slot_promotion.py` and `slot_division.py` themselves (`Obstacle`); here it is said in
words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import TRUE
from fathom.rewriting.folding import constant_value
from fathom.rewriting.memory_slots import slot_use
from fathom.rewriting.reasons import called, called_op

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.blocking_uses import Obstacle
    from fathom.rewriting.memory_slots import Slot
    from fathom.rewriting.observers import Watch


def tell_in_memory(
    op: Operation, slot: Slot | str, context: Definitions, watch: Watch, obstacle: Obstacle | None = None
) -> None:
    """That what an operation allocates does not become values, nor do its accesses; `slot` is a text where there is no
    slot that could."""
    reason = _why_no_slot(slot) if obstacle is None or isinstance(slot, str) else _promotion(obstacle, slot, context)
    watch.left(op, "promote", reason)
    for result in op.results:
        for user in result.uses:
            if slot_use(user, context).access is not None:
                watch.left(user, "promote", f"{called(result)} stays in memory: {reason}")


def tell_undivided(
    op: Operation, slot: Slot | str, context: Definitions, watch: Watch, obstacle: Obstacle | None = None
) -> None:
    """That what an operation allocates is not divided into its parts."""
    reason = _why_no_slot(slot) if obstacle is None or isinstance(slot, str) else _division(obstacle, slot, context)
    watch.left(op, "divide", reason)


def _why_no_slot(slot: Slot | str) -> str:
    return slot if isinstance(slot, str) else "nothing uses it"


def _promotion(obstacle: Obstacle, slot: Slot, context: Definitions) -> str:
    """Why a slot does not become values."""
    op = obstacle.op
    if obstacle.how:
        return _how(obstacle, slot)
    pointer, use = _used(obstacle), slot_use(op, context)
    if use.access is None and use.handing is None:
        return f"the {called_op(op)} uses {called(pointer)}, and is no load or store of it"
    if use.access is None:
        return f"the {called_op(op)} does more with {called(pointer)} than to hand it on"
    if _is_volatile(op):
        return f"the {called_op(op)} is volatile"
    if pointer is not slot.pointer:
        return f"the {called_op(op)} comes to it by {called(pointer)}, and not by {called(slot.pointer)} itself"
    if len(obstacle.places) > 1 or not (use.access.loads(op, slot) or use.access.stores(op, slot)):
        return f"the {called_op(op)} takes {called(pointer)} itself as a value"
    accessed = op.results[0].type if op.results else op.operands[0].type
    if accessed not in (slot.type, pointer.type):
        return f"the {called_op(op)} is of {accessed}, and {called(pointer)} holds {slot.type}"
    return f"the {called_op(op)} does not access all that {called(pointer)} holds, {slot.type}"


def _division(obstacle: Obstacle, slot: Slot, context: Definitions) -> str:
    """Why a slot is not divided into its parts."""
    op = obstacle.op
    pointer, use = _used(obstacle), slot_use(op, context)
    if pointer is not slot.pointer:
        return f"the {called_op(op)} may reach beyond the part at {called(pointer)}"
    if use.part_access is None:
        return f"the {called_op(op)} uses {called(pointer)}, and not a part of it"
    if _is_volatile(op):
        return f"the {called_op(op)} is volatile"
    subscripts = op.operands[op.operands.index(pointer) + 1 :]
    unknown = [called(value) for value in subscripts if constant_value(value) is None]
    if unknown:
        are = "is no constant" if len(unknown) == 1 else "are no constants"
        return f"which part the {called_op(op)} uses is not known: {', '.join(unknown)} {are}"
    return f"the {called_op(op)} uses more of {called(pointer)} than one part, or what is no part of it"


def _how(obstacle: Obstacle, slot: Slot) -> str:
    if slot.pointer in obstacle.op.results:
        return f"it {obstacle.how}"
    around = obstacle.op.parent_op
    block = slot.pointer.parent_block
    is_elsewhere = block is None or obstacle.op.parent_region is not block.parent
    inside = f" in the '{around.name}'" if around is not None and is_elsewhere else ""
    return f"the {called_op(obstacle.op)}{inside} {obstacle.how}"


def _used(obstacle: Obstacle) -> Value:
    """What an operation uses that cannot do without it."""
    return obstacle.op.operands[min(obstacle.places)]


def _is_volatile(op: Operation) -> bool:
    return op.attribute("volatile_") is not None or op.attribute("isVolatile") == TRUE
