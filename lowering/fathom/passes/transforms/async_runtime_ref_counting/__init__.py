"""`async-runtime-ref-counting`: each reference to what is async is given up behind its last use.

    %token = async.runtime.create : !async.token
    call @f(%token) : (!async.token) -> ()
->
    %token = async.runtime.create : !async.token
    async.runtime.add_ref %token {count = 1 : i64} : !async.token
    call @f(%token) : (!async.token) -> ()
    async.runtime.drop_ref %token {count = 1 : i64} : !async.token
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held


@record
class AsyncRuntimeRefCountingPass(Pass):
    """What makes a value refers to it once, and so does a function that gets it, or returns it."""

    name = "async-runtime-ref-counting"
    summary = "counts references to what is async by where it is used last"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        """Where there is what is async, and no reference is counted yet: twice would be wrong."""
        counted = "async.runtime.add_ref" in held or "async.runtime.drop_ref" in held
        return not counted and any(name.partition(".")[0] == "async" for name in held)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.asynchronous.counting import count_each
        from fathom.passes.transforms.async_runtime_ref_counting.last_uses import LastUses

        return count_each(op, LastUses(op, context).count)
