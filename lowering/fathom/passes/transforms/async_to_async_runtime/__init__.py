"""`async-to-async-runtime`: what runs beside becomes coroutines, and calls of the runtime.

    %token = async.execute {
      …
      async.yield
    }
    async.await %token : !async.token
->
    %token = call @async_execute_fn() : () -> !async.token
    async.runtime.await %token : !async.token
    …

The body of each `async.execute` becomes a function of its own (`outlining`); then what awaits, in it or elsewhere, is
lowered (`fathom.passes.asynchronous.awaiting`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

HIGH_LEVEL: Final = (
    "async.execute",
    "async.await",
    "async.await_all",
    "async.yield",
    "async.create_group",
    "async.add_to_group",
)


@record
class AsyncToAsyncRuntimePass(Pass):
    """What runs beside is suspended where it awaits, and loops around that become branches; what else awaits blocks."""

    name = "async-to-async-runtime"
    summary = "lowers what runs beside to coroutines and calls of the async runtime"
    anchor = MODULE
    handles = HIGH_LEVEL

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.asynchronous.awaiting import awaiting_patterns
        from fathom.passes.asynchronous.coroutines import around
        from fathom.passes.conversions.convert_scf_to_cf import control_flow, parallel
        from fathom.passes.remarks import advice
        from fathom.passes.transforms.async_to_async_runtime.outlining import GROUPS, outline
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        coroutines = outline(op, context)

        def may_stay(op: Operation) -> bool:
            """Whether nothing in a structured operation suspends what it stands in."""
            return not any(inner.dialect == "async" and around(inner, coroutines) is not None for inner in op.walk())

        target = (
            ConversionTarget()
            .legal("async", "func", "arith.xori", "arith.constant", "cf.br", "cf.cond_br")
            .illegal(*HIGH_LEVEL)
            .dynamically_legal(may_stay, "scf")
            .dynamically_legal(lambda op: around(op, coroutines) is None, "cf.assert")
        )
        patterns = [
            *control_flow.PATTERNS,
            *parallel.PATTERNS,
            *GROUPS,
            *awaiting_patterns(coroutines, blocks=True),
        ]
        return apply_partial_conversion(op, target, patterns, context, advice)
