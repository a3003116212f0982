"""`async-runtime-ref-counting-opt`: a reference that is added and given up again with nothing in between that needs it
is not counted.

    async.runtime.add_ref %token {count = 1 : i64} : !async.token        call @f(%token) : (!async.token) -> ()
    call @f(%token) : (!async.token) -> ()                           ->
    async.runtime.drop_ref %token {count = 1 : i64} : !async.token
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Block, Operation, Value


@record
class AsyncRuntimeRefCountingOptPass(Pass):
    """Both stay where the value is passed to a function, which gives up a reference of its own, and used after that."""

    name = "async-runtime-ref-counting-opt"
    summary = "takes away counting of references to what is async that comes to nothing"
    handles = ("async.runtime.add_ref",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.asynchronous.counting import counted_values

        places = {inner: place for place, inner in enumerate(op.walk())}
        cancelled: dict[Operation, Operation] = {}
        for value in counted_values(op):
            for users in users_by_block(value):
                cancel(sorted(users, key=places.__getitem__), cancelled)
        for drop, add in cancelled.items():
            drop.erase()
            add.erase()
        return []


def users_by_block(value: Value) -> list[list[Operation]]:
    """The users of a value and, for those that are nested, the operations around them up to where it is defined: those
    of each block."""
    block = value.parent_block
    region = block.parent if block is not None else None
    blocks: dict[Block | None, dict[Operation, None]] = {}
    for user in value.uses:
        inside: Operation | None = user
        while inside is not None:
            blocks.setdefault(inside.parent, {})[inside] = None
            inside = inside.parent_op if inside.parent_region is not region else None
    return [list(users) for users in blocks.values()]


def cancel(users: Sequence[Operation], cancelled: dict[Operation, Operation]) -> None:
    """Notes what gives up a reference, with what added it, where both may go. The users are those of one block, in
    order."""
    from fathom.ops.async_ import RuntimeAddRefOp, RuntimeDropRefOp

    for first, add in enumerate(users):
        if not isinstance(add, RuntimeAddRefOp):
            continue
        for last in range(first + 1, len(users)):
            drop = users[last]
            if not isinstance(drop, RuntimeDropRefOp) or drop.count != add.count or drop in cancelled:
                continue
            if not is_used_after_call(users[first + 1 : last]):
                cancelled[drop] = add
                break


def is_used_after_call(users: Sequence[Operation]) -> bool:
    """Whether one that is no call stands behind a call."""
    from fathom.ops.func import CallOp

    calls = [isinstance(user, CallOp) for user in users]
    return True in calls and False in calls[calls.index(True) :]
