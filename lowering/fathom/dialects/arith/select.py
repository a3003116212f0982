"""`arith.select`, whose text leaves out the type of the condition when it is `i1`.

Source of the rules: *'arith' Dialect*, "arith.select".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Operation
from fathom.ir.types import I1, TensorType, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


def _parse(cursor: OpParser, parsed: ParsedOp) -> None:
    """`%condition, %true, %false : type`, or with the type of the condition before it."""
    parsed.operands["condition"] = [cursor.value_use()]
    for name in ("true_value", "false_value"):
        cursor.expect(",")
        parsed.operands[name] = [cursor.value_use()]
    cursor.attr_dict(parsed)
    cursor.expect(":")
    types = cursor.type_list()
    if len(types) > 2:
        cursor.fail("custom op 'arith.select' expected at most two types")
    if len(types) == 2:
        parsed.types["condition"] = [types[0]]
    parsed.types["result"] = [types[-1]]


def _resolve(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    conditions = parsed.types.get("condition")
    condition = resolver.type(conditions[0]) if conditions else I1
    type = resolver.type(parsed.types["result"][0])
    resolver.operands = [
        resolver.operand(parsed.operands["condition"][0], condition),
        resolver.operand(parsed.operands["true_value"][0], type),
        resolver.operand(parsed.operands["false_value"][0], type),
    ]
    resolver.result_types = [type]


def _print(op: Operation, printer: OpPrinter) -> None:
    printer.write(" ")
    printer.values(op.operands)
    printer.attr_dict(op)
    printer.write(" : ")
    if op.operands[0].type != I1:
        printer.type(op.operands[0].type)
        printer.write(", ")
    printer.type(op.results[0].type)


def has_matching_condition(op: Operation) -> bool:
    """Whether a condition of several elements has the shape of the result."""
    condition, type = op.operands[0].type, op.results[0].type
    if condition == I1 or not isinstance(condition, (VectorType, TensorType)):
        return condition == I1
    return isinstance(type, condition.__class__) and condition.shape == type.shape


@verifies("arith.select")
def _verify(op: Operation) -> Complaint:
    """A condition of several elements is of the type of the result, but for the elements."""
    condition, type = op.operands[0].type, op.results[0].type
    if condition == I1 or not isinstance(type, (VectorType, TensorType)):
        return None
    expected = replace(type, element=I1)
    if condition == expected:
        return None
    message = f"expected condition type to have the same shape as the result type, expected '{expected}'"
    return f"{message}, but got '{condition}'"


SELECT: Final = OpCode(custom=CustomSyntax(_parse, _print, _resolve))
