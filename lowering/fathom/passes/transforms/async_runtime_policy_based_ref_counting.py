"""`async-runtime-policy-based-ref-counting`: references are given up where a rule says so, whatever else happens.

    %0 = async.runtime.is_error %token : !async.token
->
    %0 = async.runtime.is_error %token : !async.token
    async.runtime.drop_ref %token {count = 1 : i64} : !async.token
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value


@record
class AsyncRuntimePolicyBasedRefCountingPass(Pass):
    """Right where a token or a value is awaited once, and a group too: after the question whether it is an error, after
    a value is loaded, and after a token was added to a group."""

    name = "async-runtime-policy-based-ref-counting"
    summary = "counts references to what is async by a rule for each use"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.asynchronous.counting import count_each, drop_if_unused, drop_reference, users_of
        from fathom.rewriting.rewriter import Rewriter

        rewriter = Rewriter(context)

        def count(value: Value) -> None:
            if drop_if_unused(value, rewriter):
                return
            for user in users_of(value):
                if gives_up(user, value):
                    rewriter.set_insertion_behind(user)
                    drop_reference(rewriter, value, source=user)

        return count_each(op, count)


def gives_up(user: Operation, value: Value) -> bool:
    """Whether the use is the one after which the reference is not needed any more."""
    from fathom.ops.async_ import RuntimeAddToGroupOp, RuntimeIsErrorOp, RuntimeLoadOp
    from fathom.passes.asynchronous.types import GROUP, TOKEN, VALUE

    kind = value.type.full_name
    if isinstance(user, RuntimeIsErrorOp):
        return kind in (TOKEN, GROUP)
    if isinstance(user, RuntimeLoadOp):
        return kind == VALUE
    return isinstance(user, RuntimeAddToGroupOp) and kind == TOKEN
