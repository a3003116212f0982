"""`optimize-allocation-liveness`: what is freed later in the block that allocates it is freed behind its last use.

%a = memref.alloc() : memref<4xf32>             %a = memref.alloc() : memref<4xf32>
use(%a)                                         use(%a)
%b = memref.alloc() : memref<4xf32>     ->      memref.dealloc %a : memref<4xf32>
use(%b)                                         %b = memref.alloc() : memref<4xf32>
memref.dealloc %a : memref<4xf32>               use(%b)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.onlookers import onlooker
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.bufferization.view_flow import ViewFlow
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Block, Operation, Value


@record
class OptimizeAllocationLivenessPass(Pass):
    """So less memory is held at a time. What several operations free, or one in another block, stays."""

    name = "optimize-allocation-liveness"
    summary = "frees buffers behind their last use"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.view_flow import ViewFlow

        flow = ViewFlow(op, context)
        for maker in list(op.walk_postorder()):
            free_behind_last_use(maker, flow)
        return []


def free_behind_last_use(maker: Operation, flow: ViewFlow) -> None:
    """Moves what frees the buffer that an operation allocates, if that is one."""
    from fathom.irdl.interfaces import EffectKind
    from fathom.rewriting.effects import own_effects

    made = [effect.value for effect in own_effects(maker) or () if effect.kind is EffectKind.ALLOCATE]
    buffers = [value for value in made if value is not None and value.defining_op is maker]
    if len(buffers) != 1 or maker.parent is None:
        return
    end = _freed_by(buffers[0])
    if end is None or end.parent is not maker.parent:
        return
    users = dict.fromkeys(user for name in flow.names_of(buffers[0]) for user in name.uses if user is not end)
    last = _last(users, maker.parent)
    if last is not None and last.next is not end:
        if (watched := onlooker()) is not None and last.next is not None:
            watched.freed(buffers[0], last.next)
        end.unlink()
        maker.parent.insert_before(end, last.next)


def _freed_by(buffer: Value) -> Operation | None:
    """The operation that gets a buffer and frees anything, if there is one, which does so once."""
    from fathom.irdl.interfaces import EffectKind
    from fathom.rewriting.effects import own_effects

    ops: list[Operation] = []
    for user, times in buffer.uses.items():
        ops += [user for effect in own_effects(user) or () if effect.kind is EffectKind.FREE] * times
    return ops[0] if len(ops) == 1 else None


def _last(users: Iterable[Operation], block: Block) -> Operation | None:
    """The last operation of a block in which one of the users stands; None where one stands elsewhere, or there is
    none."""
    from fathom.ir.dominance import ancestor_in_block

    last: Operation | None = None
    for user in users:
        here = ancestor_in_block(user, block)
        if here is None:
            return None
        if last is None or last.is_before_in_block(here):
            last = here
    return last
