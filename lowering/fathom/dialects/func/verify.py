"""What MLIR's verifiers say of the operations of func."""

from __future__ import annotations

from typing import Final

from fathom.dialects.func.callees import callee_check, function_type
from fathom.irdl.checking import entry_problem
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.symbols import Lookup
from fathom.irdl.verifying import Complaint, SymbolChecks, verifies
from fathom.ops.func import ConstantOp, FuncOp, ReturnOp


@verifies("func.func")
def _verify_function(op: FuncOp) -> Complaint:
    entry, inputs = op.body.first, function_type(op).inputs
    if entry is None:
        is_public = op.sym_visibility is None or op.sym_visibility.value == "public"
        return "symbol declaration cannot have public visibility" if is_public else None
    return entry_problem(entry, inputs)


@verifies("func.return")
def _verify_return(op: ReturnOp) -> Complaint:
    function = op.parent_op
    if not isinstance(function, FuncOp):
        return None
    results, name = function_type(function).results, symbol_name(function)
    if len(results) != len(op.operands):
        return f"has {len(op.operands)} operands, but enclosing function (@{name}) returns {len(results)}"
    for index, (operand, type) in enumerate(zip(op.operands, results, strict=True)):
        if operand.type != type:
            message = (
                f"type of return operand {index} ('{operand.type}') doesn't match function result type ('{type}')"
                f" in function @{name}"
            )
            return Problem(message, bare=True)
    return None


@verifies("func.constant", symbols=True)
def _verify_reference(op: ConstantOp, lookup: Lookup) -> Complaint:
    function = lookup(op.value.root)
    if not isinstance(function, FuncOp):
        return f"reference to undefined function '{op.value.root}'"
    return "reference to function with mismatched type" if function_type(function) != op.result.type else None


VERIFY_SYMBOLS: Final[SymbolChecks] = {"func.call": callee_check("func.func")}
