"""What MLIR's verifiers say of the operations of async."""

from __future__ import annotations

from typing import Final

from fathom.dialects.func.callees import callee_check, function_type
from fathom.dialects.scf.common import check_edge, terminator_of
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import types_of
from fathom.ir.types import Type
from fathom.irdl.verifying import Complaint, SymbolChecks, verifies
from fathom.ops import async_ as ops

from . import unwrapped  # The name of the package is a keyword.


def _is_token(type: Type) -> bool:
    return isinstance(type, DialectType) and type.full_name == "async.token"


def _is_alike(one: Type, other: Type) -> bool:
    """Whether two types are the same but for `!async.value`."""
    return (unwrapped(one) or one) == (unwrapped(other) or other)


@verifies("async.execute", regions=True)
def _verify_execute(op: ops.ExecuteOp) -> Complaint:
    region = op.bodyRegion
    arguments = types_of(region.arguments)
    operands, results = types_of(op.bodyOperands), types_of(op.results[1:])
    edge = check_edge("parent", "Region #0", operands, arguments, is_alike=_is_alike)
    last = terminator_of(region)
    if not edge and isinstance(last, ops.YieldOp):
        edge = check_edge("Operation async.yield", "parent", types_of(last.operands), results, last, _is_alike)
    if edge or arguments == [unwrapped(type) for type in operands]:
        return edge
    return "async body region argument types do not match the execute operation arguments types"


@verifies("async.await")
def _verify_await(op: ops.AwaitOp) -> Complaint:
    type, results = op.operand.type, [result.type for result in op.results]
    inside = unwrapped(type)
    if inside is None:
        return "awaiting on a token must have empty result" if results and _is_token(type) else None
    if not results:
        return f"awaiting a value must have a result of type '{inside}'"
    if results == [inside]:
        return None
    return f"result type '{results[0]}' does not match async value type '{inside}'"


@verifies("async.func")
def _verify_function(op: ops.FuncOp) -> Complaint:
    results = function_type(op).results
    if not results:
        return "result is expected to be at least of size 1, but got 0"
    for index, type in enumerate(results):
        if not _is_token(type) and unwrapped(type) is None:
            return f"result type must be async value type or async token type, but got '{type}'"
        if _is_token(type) and index:
            where = f"(optional) async token type is expected to appear as the 1st return value, but got {index + 1}"
            return f" results' {where}"
    return None


@verifies("async.return")
def _verify_return(op: ops.ReturnOp) -> Complaint:
    """The operands are what the values that the function gives are of."""
    function = op.parent_op
    results = function_type(function).results if function is not None else ()
    if results and _is_token(results[0]):
        results = results[1:]
    if [operand.type for operand in op.operands] == [unwrapped(type) for type in results]:
        return None
    return "operand types do not match the types returned from the parent FuncOp"


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "async.call": callee_check("async.func", "async function"),
}
