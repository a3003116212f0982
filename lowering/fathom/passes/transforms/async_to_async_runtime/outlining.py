"""Bodies of `async.execute` as functions; and groups of what runs beside.

    %token, %r = async.execute [%t] (%v as %a: !async.value<f32>) -> !async.value<f32> { … async.yield %b : f32 }
->
    %token, %r = call @async_execute_fn(%t, %v, …)

    func.func private @async_execute_fn(%t: !async.token, %v: !async.value<f32>, …) -> (…) {
      async.await %t : !async.token
      %a = async.await %v : !async.value<f32>
      …                                                 a coroutine (`fathom.passes.asynchronous.coroutines`)
    }
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import types_of
from fathom.ir.types import INDEX
from fathom.ops.async_ import ExecuteOp
from fathom.passes.asynchronous.captures import captures_of, take_constants_in
from fathom.passes.asynchronous.coroutines import make_coroutine
from fathom.passes.asynchronous.functions import add_function, call
from fathom.passes.asynchronous.types import payload_of, type_of
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation, Value
    from fathom.ops.async_ import AddToGroupOp, CreateGroupOp
    from fathom.passes.asynchronous.coroutines import Coroutine, Coroutines
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_NAME: Final = "async_execute_fn"


def outline(module: Operation, context: Context) -> Coroutines:
    """Makes functions at the end of the module of all that runs beside, what is nested first."""
    rewriter = Rewriter(context)
    coroutines: Coroutines = {}
    for op in [op for op in module.walk_postorder() if isinstance(op, ExecuteOp)]:
        coroutine = _outline(op, module, rewriter)
        coroutines[coroutine.function] = coroutine
    return coroutines


def _outline(op: ExecuteOp, module: Operation, rewriter: Rewriter) -> Coroutine:
    rewriter.stand_in(op)
    body = op.bodyRegion
    take_constants_in(body, rewriter)
    inputs = list(dict.fromkeys([*op.dependencies, *op.bodyOperands, *captures_of(body)]))
    results = types_of(op.results)
    function = add_function(rewriter, module, _NAME, types_of(inputs), results)
    given: dict[Value, Value] = dict(zip(inputs, function.regions[0].arguments, strict=True))
    for token in op.dependencies:
        rewriter.create("async.await", [given[token]])
    values = dict(given)
    for value, argument in zip(op.bodyOperands, body.arguments, strict=True):
        payload = payload_of(value.type)
        awaited = rewriter.create("async.await", [given[value]], [payload] if payload is not None else [])
        values[argument] = awaited.result
    for inner in body.operations():
        rewriter.clone(inner, values)
    coroutine = make_coroutine(rewriter, function, results)
    _suspend_first(coroutine, rewriter)
    rewriter.set_insertion_before(op)
    made = call(rewriter, function, inputs, results)
    for old, new in zip(op.results, made.results, strict=True):
        new.name_hint = old.name_hint
    op.replace_all_uses_with(made.results)
    op.erase()
    return coroutine


def _suspend_first(coroutine: Coroutine, rewriter: Rewriter) -> None:
    """The coroutine stands still before its body, and goes on in a thread of the runtime."""
    leads = coroutine.entry.end
    rewriter.set_insertion_to_end(coroutine.entry)
    state = coroutine.save(rewriter)
    rewriter.create("async.runtime.resume", [coroutine.handle])
    coroutine.suspend_into(rewriter, state, leads.successors[0])
    leads.erase()


# ---- groups


def _create_group(op: CreateGroupOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    rewriter.replace_with(op, "async.runtime.create_group", operands, [type_of("GroupType")])
    return None


def _add_to_group(op: AddToGroupOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    rewriter.replace_with(op, "async.runtime.add_to_group", operands, [INDEX])
    return None


GROUPS: Final = (
    Pattern("async.create_group", _create_group, name="CreateGroupOpLowering"),
    Pattern("async.add_to_group", _add_to_group, name="AddToGroupOpLowering"),
)
