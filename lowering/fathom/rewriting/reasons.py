"""Why a pass that works without patterns leaves an operation: said to whoever asks, and made for nobody else.

    watch = explaining()
    if watch is not None:
        watch.left(op, "hoist", f"{called(operand)} is defined in the loop")

Who only counts steps, or ends a run at one of them, does not ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.values import BlockArgument, OpResult
from fathom.irdl.interfaces import EffectKind, Speculatable
from fathom.irdl.traits import RECURSIVE_MEMORY_EFFECTS
from fathom.rewriting.effects import own_effects
from fathom.rewriting.speculation import not_speculatable

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value

ERASE: Final = "erase"
MERGE_BLOCKS: Final = "merge blocks"
DROP_ARGUMENT: Final = "drop argument"
BESIDE_PATTERNS: Final = frozenset({ERASE, MERGE_BLOCKS, DROP_ARGUMENT})
"""What is done beside patterns where these are applied greedily, by the words by which it is said that it is not."""

_VERBS: Final = {
    EffectKind.READ: "reads",
    EffectKind.WRITE: "writes",
    EffectKind.ALLOCATE: "allocates",
    EffectKind.FREE: "frees",
}


def called(value: Value) -> str:
    """A value by the name that it has in the source, or by what defines it."""
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    if isinstance(value, OpResult):
        return f"the result of '{value.op.name}'"
    block = value.block if isinstance(value, BlockArgument) else None
    around = block.parent.parent if block is not None and block.parent is not None else None
    return f"an argument of '{around.name}'" if around is not None else "an argument of a block"


def called_op(op: Operation) -> str:
    """An operation by its name and the value that it defines."""
    hint = op.results[0].name_hint if op.results else None
    return f"'{op.name}' of %{hint}" if hint is not None else f"'{op.name}'"


def effect(op: Operation, *, beside_reading: bool = False) -> str:
    """What an operation, or what is nested in it, does to memory; empty where that is nothing. `beside_reading` leaves
    out that it reads, and that it allocates what it returns: what nobody misses of one whose results nobody uses."""
    pending = [op]
    while pending:
        current = pending.pop()
        name = "it" if current is op else f"the '{current.name}' in it"
        recursive = current.has(RECURSIVE_MEMORY_EFFECTS)
        effects = own_effects(current)
        if effects is None and not recursive:
            return f"what {name} does to memory is not known"
        for each in effects or ():
            if beside_reading and (each.kind is EffectKind.READ or each.value in current.results):
                continue
            value = called(each.value) if each.value is not None else "memory"
            return f"{name} {_VERBS[each.kind]} {value}"
        if recursive:
            pending += (inner for region in current.regions for inner in region.operations())
    return ""


def speculation(op: Operation) -> str:
    """Which operation must not run where the program would not have come to it; empty where there is none."""
    found = not_speculatable(op)
    if found is None:
        return ""
    name = "it" if found is op else f"the '{found.name}' in it"
    is_known = found.interface(Speculatable) is not None
    how = "is not speculatable as it stands" if is_known else "is not known to be speculatable"
    return f"{name} {how}, and the loop may run no iteration"
