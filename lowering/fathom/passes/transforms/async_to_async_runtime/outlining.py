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

from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Block, Region, types_of
from fathom.ir.types import INDEX, FunctionType
from fathom.ops.async_ import ExecuteOp
from fathom.passes.asynchronous.captures import captures_of, take_constants_in
from fathom.passes.asynchronous.coroutines import make_coroutine
from fathom.passes.asynchronous.types import payload_of, type_of
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.symbol_names import SymbolNames

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
    rewriter, symbols = Rewriter(context), SymbolNames(module, ())
    coroutines: Coroutines = {}
    for op in [op for op in module.walk_postorder() if isinstance(op, ExecuteOp)]:
        coroutine = _outline(op, module, symbols, rewriter)
        coroutines[coroutine.function] = coroutine
    return coroutines


def _outline(op: ExecuteOp, module: Operation, symbols: SymbolNames, rewriter: Rewriter) -> Coroutine:
    rewriter.stand_in(op)
    body = op.bodyRegion
    take_constants_in(body, rewriter)
    inputs = list(dict.fromkeys([*op.dependencies, *op.bodyOperands, *captures_of(body)]))
    type = FunctionType(tuple(types_of(inputs)), tuple(types_of(op.results)))
    function = _function(module, symbols.unused(_NAME), type, rewriter)
    symbols.note(function)
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
    coroutine = make_coroutine(rewriter, function, type)
    _suspend_first(coroutine, rewriter)
    rewriter.set_insertion_before(op)
    properties = {"callee": SymbolRefAttr(_name_of(function))}
    call = rewriter.create("func.call", inputs, type.results, properties)
    for old, new in zip(op.results, call.results, strict=True):
        new.name_hint = old.name_hint
    op.replace_all_uses_with(call.results)
    op.erase()
    return coroutine


def _function(module: Operation, name: str, type: FunctionType, rewriter: Rewriter) -> Operation:
    """A private function at the end of the module; new operations come into its body."""
    entry = Block(type.inputs)
    for argument in entry.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    rewriter.set_insertion_to_end(module.regions[0].entry)
    properties = {
        "function_type": TypeAttr(type),
        "sym_name": StringAttr(name),
        "sym_visibility": StringAttr("private"),
    }
    function = rewriter.create("func.func", properties=properties, regions=[Region([entry])])
    rewriter.set_insertion_to_end(entry)
    return function


def _name_of(function: Operation) -> str:
    name = function.properties["sym_name"]
    assert isinstance(name, StringAttr), "a function has a name"
    return name.value


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
