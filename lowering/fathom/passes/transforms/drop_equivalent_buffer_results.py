"""`drop-equivalent-buffer-results`: private functions do not return buffers that are their arguments.

    func.func private @f(%m: memref<4xf32>) -> memref<4xf32> { … return %m }     %r = call @f(%m)    use(%r)
->
    func.func private @f(%m: memref<4xf32>) { … return }                              call @f(%m)    use(%m)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import BlockArgument, Operation, Value


@record
class DropEquivalentBufferResultsPass(Pass):
    """Public functions stay as they are."""

    name = "drop-equivalent-buffer-results"
    summary = "private functions do not return what they were given"
    anchor = "builtin.module"
    handles = ("func.func",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.functions import Functions, returns_of
        from fathom.irdl.interfaces import FunctionLike
        from fathom.ops.func import CallOp
        from fathom.rewriting.dead_symbols import visibility_of

        functions = Functions(op)
        calls: dict[Operation, list[Operation]] = {}
        for call in op.walk():
            called = functions.called(call) if isinstance(call, CallOp) else None
            if called is not None:
                calls.setdefault(called, []).append(call)
        for function in functions.by_name.values():
            known = function.interface(FunctionLike)
            if known is None or visibility_of(function) == "public" or function.regions[0].is_empty:
                continue
            returns = returns_of(function)
            arguments = function.regions[0].first.arguments if function.regions[0].first is not None else []
            dropped = _dropped(returns, arguments)
            if dropped:
                _drop(function, returns, dropped)
                for call in calls.get(function, ()):
                    _call_without(call, dropped, context)
        return []


def _dropped(returns: Sequence[Operation], arguments: Sequence[BlockArgument]) -> dict[int, int]:
    """The results that are arguments at each return, with the numbers of these."""
    if not returns:
        return {}
    dropped: dict[int, int] = {}
    for index in range(len(returns[0].operands)):
        sources = {_uncast(end.operands[index]) for end in returns}
        argument = next((argument for argument in arguments if sources == {argument}), None)
        if argument is not None:
            dropped[index] = argument.index
    return dropped


def _uncast(value: Value) -> Value:
    from fathom.ops.memref import CastOp

    while isinstance(op := value.defining_op, CastOp):
        value = op.source
    return value


def _drop(function: Operation, returns: Sequence[Operation], dropped: dict[int, int]) -> None:
    """Takes results out of a function."""
    from fathom.bufferization.functions import signature
    from fathom.ir.attributes import ArrayAttr, TypeAttr
    from fathom.ir.types import FunctionType

    type = signature(function)
    results = tuple(result for index, result in enumerate(type.results) if index not in dropped)
    function.properties["function_type"] = TypeAttr(FunctionType(type.inputs, results))
    attributes = function.properties.get("res_attrs")
    if isinstance(attributes, ArrayAttr):
        kept = tuple(element for index, element in enumerate(attributes.elements) if index not in dropped)
        function.properties["res_attrs"] = ArrayAttr(kept)
    for end in returns:
        end.set_operands([operand for index, operand in enumerate(end.operands) if index not in dropped])


def _call_without(call: Operation, dropped: dict[int, int], context: Context) -> None:
    """Makes a call anew, whose users use the arguments themselves."""
    from fathom.rewriting.rewriter import Rewriter

    rewriter = Rewriter(context)
    rewriter.set_insertion_before(call)
    rewriter.stand_in(call)
    types = [result.type for result in call.results if result.index not in dropped]
    properties = {"callee": call.properties["callee"]}
    new = iter(rewriter.create(call.name, call.operands, types, properties).results)
    values: list[Value] = []
    for result in call.results:
        if result.index not in dropped:
            values.append(next(new))
            continue
        value = call.operands[dropped[result.index]]
        if value.type != result.type:
            value = rewriter.create("memref.cast", [value], [result.type]).result
        values.append(value)
    rewriter.replace(call, values)
