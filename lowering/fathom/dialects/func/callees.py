"""What functions are called and take, and what calls of them must agree with.

Source of the rules: *'func' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.diagnostics import UNKNOWN_FUNCTION
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import types_of
from fathom.ir.property_values import type_property
from fathom.ir.types import FunctionType
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.verifying import Complaint, SymbolCheck

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.symbols import Lookup


def function_type(op: Operation, property: str = "function_type") -> FunctionType:
    """The type of a `func.func`; one that is malformed has no arguments and no results."""
    type = type_property(op, property)
    return type if isinstance(type, FunctionType) else FunctionType((), ())


def callee_check(function: str, noun: str = "function") -> SymbolCheck:
    """What is wrong with the call of a `function`, an operation such as `func.func`, that `callee` names: `noun` is
    what messages call it."""

    def check(op: Operation, lookup: Lookup) -> Complaint:
        callee = op.properties.get("callee")
        if not isinstance(callee, SymbolRefAttr):
            return None
        callee_op = lookup(callee.root)
        if callee_op is None or callee_op.name != function:
            return Problem(f"'{callee.root}' does not reference a valid {noun}", code=UNKNOWN_FUNCTION)
        return _mismatch(op, callee_op)

    return check


def _mismatch(call: Operation, function: Operation) -> Complaint:
    type = function_type(function)
    hints = ((f"@{symbol_name(function)} has the type {type}", function),)
    if len(type.inputs) != len(call.operands):
        return Problem("incorrect number of operands for callee", hints=hints)
    for index, (expected, operand) in enumerate(zip(type.inputs, call.operands, strict=True)):
        if expected != operand.type:
            message = (
                f"operand type mismatch: expected operand type '{expected}', but provided '{operand.type}'"
                f" for operand number {index}"
            )
            return Problem(message, hints=hints)
    if len(type.results) != len(call.results):
        return Problem("incorrect number of results for callee", hints=hints)
    given = types_of(call.results)
    for index, (expected, actual) in enumerate(zip(type.results, given, strict=True)):
        if expected != actual:
            notes = (
                (f"      op result types: {_quoted(given)}", call),
                (f"function result types: {_quoted(type.results)}", call),
            )
            return Problem(f"result type mismatch at index {index}", notes=notes)
    return None


def _quoted(types: Sequence[Type]) -> str:
    return ", ".join(f"'{type}'" for type in types)
