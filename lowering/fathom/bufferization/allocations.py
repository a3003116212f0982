"""Which operations allocate buffers, where these may be moved to, and which may lie on the stack.

Source of the rules: `AllocationOpInterface` and `BufferPlacementAllocs` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from fathom.ir.operation import OpResult
from fathom.irdl.aspects import Aspect
from fathom.irdl.interfaces import EffectKind, MemoryEffects, StackAllocation
from fathom.irdl.lazy import Joined
from fathom.ops.memref import ReallocOp
from fathom.records import record
from fathom.rewriting.effects import own_effects

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions


@record
class Allocation:
    """How the buffer of an operation may be moved: to blocks before its own, and out of loops; and which operation
    makes one on the stack instead, of the same operands and properties."""

    to_dominators: bool = False
    out_of_loops: bool = False
    on_stack: str | None = None


Allocations = Mapping[str, Allocation]

ALLOCATIONS: Final = Aspect["Allocations"]("allocations", {}, Joined)
"""The operations that allocate, by their full names."""


def allocation_of(op: Operation, context: Definitions) -> Allocation | None:
    """What is known of an operation that allocates; None of any other."""
    return context.aspect(ALLOCATIONS, op.dialect).get(op.name)


class Allocated(NamedTuple):
    """A buffer, and the operation that gives it back, if there is one."""

    buffer: OpResult
    end: Operation | None


def allocated_in(root: Operation) -> list[Allocated]:
    """The buffers that operations make, one each, not on the stack. Those that several operations give back, or that
    grow, are left out."""
    allocations: list[Allocated] = []
    for op in root.walk_postorder():
        if op.interface(MemoryEffects) is None or op.interface(StackAllocation) is not None:
            continue
        made = [effect.value for effect in own_effects(op) or () if effect.kind is EffectKind.ALLOCATE]
        buffers = [value for value in made if isinstance(value, OpResult)]
        if len(buffers) != 1:
            continue
        ends = [user for user in buffers[0].uses if _frees(user, buffers[0])]
        if len(ends) <= 1 and not any(isinstance(end, ReallocOp) for end in ends):
            allocations.append(Allocated(buffers[0], ends[0] if ends else None))
    return allocations


def _frees(op: Operation, buffer: OpResult) -> bool:
    return any(effect.kind is EffectKind.FREE and effect.value is buffer for effect in own_effects(op) or ())
