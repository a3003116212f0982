"""`arith.select`, whose text leaves out the type of the condition when it is `i1`.

Source of the rules: *'arith' Dialect*, "arith.select".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import truth_type
from fathom.ir.types import I1, TensorType, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.arith import SelectOp

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
    names = [parsed.operands[name][0] for name in ("condition", "true_value", "false_value")]
    resolver.operands = resolver.operand_list(names, [condition, type, type])
    resolver.result_types = [type]


def _print(op: SelectOp, printer: OpPrinter) -> None:
    printer.write(" ")
    printer.values(op.operands)
    printer.attr_dict(op)
    printer.write(" : ")
    if op.condition.type != I1:
        printer.type(op.condition.type)
        printer.write(", ")
    printer.type(op.result.type)


def has_matching_condition(op: SelectOp) -> bool:
    """Whether a condition of several elements has the shape of the result."""
    condition, type = op.condition.type, op.result.type
    if condition == I1 or not isinstance(condition, (VectorType, TensorType)):
        return condition == I1
    return isinstance(type, condition.__class__) and condition.shape == type.shape


@verifies("arith.select")
def _verify(op: SelectOp) -> Complaint:
    """A condition of several elements is of the type of the result, but for the elements."""
    condition, expected = op.condition.type, truth_type(op.result.type)
    if condition in (I1, expected):
        return None
    message = f"expected condition type to have the same shape as the result type, expected '{expected}'"
    return f"{message}, but got '{condition}'"


SELECT: Final = OpCode(custom=CustomSyntax(_parse, _print, _resolve))
