"""`async-func-to-async-runtime`: functions that run beside become functions that are coroutines.

    async.func @f(%a: f32) -> !async.value<f32> {
      return %a : f32
    }
->
    func.func @f(%a: f32) -> !async.value<f32> attributes {passthrough = ["presplitcoroutine"]} {
      %value = async.runtime.create : !async.value<f32>
      …
      async.runtime.store %a, %value : !async.value<f32>
      async.runtime.set_available %value : !async.value<f32>
      …                                                   see `fathom.passes.asynchronous.coroutines`
    }
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.ops.async_ import CallOp, FuncOp
    from fathom.passes.asynchronous.coroutines import Coroutines
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure


@record
class AsyncFuncToAsyncRuntimePass(Pass):
    """Such a function begins where it is called, and is suspended where it awaits."""

    name = "async-func-to-async-runtime"
    summary = "lowers functions of async to coroutines"
    anchor = MODULE
    handles = ("async.func", "async.call", "async.return")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ir.traversal import closest
        from fathom.ops.async_ import ExecuteOp
        from fathom.passes.asynchronous.awaiting import awaiting_patterns
        from fathom.passes.asynchronous.coroutines import around, make_coroutine
        from fathom.passes.remarks import advice
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        coroutines: Coroutines = {}

        def define(op: FuncOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
            from fathom.dialects.func.callees import function_type
            from fathom.ir.operation import Region

            function = rewriter.create(
                "func.func", properties=op.properties, attributes=op.attributes, regions=[Region()]
            )
            rewriter.inline_region_before(op.body, function.regions[0], None)
            if not function.regions[0].is_empty:
                coroutines[function] = make_coroutine(rewriter, function, function_type(function).results)
            rewriter.erase(op)
            return None

        def is_elsewhere(op: Operation) -> bool:
            """Whether what is lowered in coroutines stands in none, or in what is to become another."""
            return around(op, coroutines) is None or closest(op, ExecuteOp) is not None

        target = (
            ConversionTarget()
            .legal("async", "func", "arith.xori", "arith.constant", "cf.br", "cf.cond_br")
            .illegal(*self.handles)
            .dynamically_legal(is_elsewhere, "async.await", "async.await_all", "async.yield", "cf.assert")
        )
        patterns = [
            Pattern("async.call", call, name="AsyncCallOpLowering"),
            Pattern("async.func", define, name="AsyncFuncOpLowering"),
            *awaiting_patterns(coroutines, blocks=False),
        ]
        return apply_partial_conversion(op, target, patterns, context, advice)


def call(op: CallOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`async.call @f(…)` becomes `func.call @f(…)`; what else it says of arguments and results is not kept."""
    from fathom.ir.operation import types_of

    rewriter.replace_with(op, "func.call", operands, types_of(op.results), {"callee": op.callee})
    return None
