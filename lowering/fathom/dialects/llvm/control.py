"""The LLVM dialect's terminators.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from fathom.dialects.cf.switches import BRANCH_BY_CASE, case_value, case_values, dense_cases, verify_branch
from fathom.dialects.cf.verify import verify_weighted_branch, weights_problem
from fathom.dialects.llvm.attributes import i32_array
from fathom.dialects.llvm.types import LLVMFunctionType, LLVMVoidType
from fathom.ir.attributes import DenseElementsAttr, TypeAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.types import I1
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import Branch, branch_by_groups, replace_ranges
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver


@verifies("llvm.return")
def _verify_return(op: ops.ReturnOp) -> Complaint:
    parent = op.parent_op
    if not isinstance(parent, ops.FuncOp):
        return None
    attribute = parent.properties.get("function_type")
    if not isinstance(attribute, TypeAttr) or not isinstance(attribute.type, LLVMFunctionType):
        return None
    expected = attribute.type.result
    if isinstance(expected, LLVMVoidType):
        return (
            Problem("expected no operands", notes=(("when returning from function", parent),)) if op.operands else None
        )
    if not op.operands:
        return Problem("expected 1 operand", notes=(("when returning from function", parent),))
    if op.operands[0].type != expected:
        return Problem("mismatching result types", notes=(("when returning from function", parent),))
    return None


# ---- switch


def case_operands(op: ops.SwitchOp) -> list[list[Value]]:
    """The operands of each case's successor."""
    values = op.caseOperands
    result: list[list[Value]] = []
    start = 0
    for size in numbers_property(op, "case_operand_segments"):
        result.append(values[start : start + size])
        start += size
    return result


def _print_switch(op: ops.SwitchOp, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.value)
    p.write(" : ")
    p.type(op.value.type)
    p.write(", ")
    p.successor(op.defaultDestination, op.defaultOperands)
    p.write(" [")
    cases = list(zip(case_values(op), case_operands(op), strict=False))
    for position, (number, operands) in enumerate(cases, start=1):
        p.newline()
        # As a signed number, the set bit is -1.
        p.write(f"  {-number if op.value.type == I1 else number}: ")
        p.successor(op.successors[position], operands)
        p.write("," if position < len(cases) else "")
    p.newline()
    p.write("]")
    p.attr_dict(op, elide=("case_values", "case_operand_segments", "operandSegmentSizes"))


def _parse_switch(cursor: OpParser, parsed: ParsedOp) -> list[int]:
    parsed.operands["value"] = [cursor.value_use()]
    cursor.expect(":")
    parsed.types["value"] = [cursor.type()]
    cursor.expect(",")
    cursor.successor(parsed)
    default = parsed.successors[-1]
    parsed.operands["defaultOperands"], parsed.types["defaultOperands"] = default.operands, default.types
    cursor.expect("[")
    numbers: list[int] = []
    sizes: list[int] = []
    operands: list[Ref] = []
    types: list[Node] = []
    while numbers or not cursor.at("]"):
        numbers.append(cursor.integer_literal(f"custom op '{parsed.name}' expected integer value"))
        cursor.expect(":")
        cursor.successor(parsed)
        case = parsed.successors[-1]
        operands.extend(case.operands)
        types.extend(case.types)
        sizes.append(len(case.operands))
        if not cursor.accept(","):
            break
    cursor.expect("]")
    parsed.operands["caseOperands"], parsed.types["caseOperands"] = operands, types
    parsed.attributes["case_operand_segments"] = i32_array(*sizes)
    for successor in parsed.successors:
        successor.operands, successor.types = [], []
    cursor.attr_dict(parsed)
    return numbers


def _resolve_switch(resolver: Resolver, parsed: ParsedOp, numbers: list[int]) -> None:
    resolver.resolve_by_rules()
    if numbers:
        flag = resolver.operands[0].type
        resolver.properties["case_values"] = dense_cases([case_value(number, flag) for number in numbers], flag)


@verifies("llvm.switch")
def _verify_switch(op: ops.SwitchOp) -> Complaint:
    values = op.case_values
    count = len(op.successors) - 1
    if values is None:
        return "expects number of case values to match number of case destinations" if count else None
    if isinstance(values, DenseElementsAttr) and values.type.ranked_shape[0] != count:
        return "expects number of case values to match number of case destinations"
    if (problem := weights_problem(op)) is not None:
        return problem
    if isinstance(values, DenseElementsAttr) and values.type.element != op.value.type:
        return bare("expects case value type to match condition value type")
    return verify_branch(op)


# ---- indirectbr


def _print_indirectbr(op: ops.IndirectbrOp, p: OpPrinter) -> None:
    p.write(" ")
    p.value(op.addr)
    p.write(" : ")
    p.type(op.addr.type)
    p.write(", [")
    start = 1
    for position, size in enumerate(op.indbr_operand_segments.values):
        p.write("," if position else "")
        p.newline()
        p.successor(op.successors[position], op.operands[start : start + size])
        start += size
    if op.successors:
        p.newline()
    p.write("]")
    p.attr_dict(op, elide=("indbr_operand_segments",))


def _parse_indirectbr(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.operands["addr"] = [cursor.value_use()]
    cursor.expect(":")
    parsed.types["addr"] = [cursor.type()]
    cursor.expect(",")
    cursor.expect("[")
    operands: list[Ref] = []
    types: list[Node] = []
    sizes: list[int] = []
    while not cursor.at("]"):
        cursor.successor(parsed)
        successor = parsed.successors[-1]
        operands.extend(successor.operands)
        types.extend(successor.types)
        sizes.append(len(successor.operands))
        successor.operands, successor.types = [], []
        if not cursor.accept(","):
            break
    cursor.expect("]")
    parsed.operands["succOperands"], parsed.types["succOperands"] = operands, types
    parsed.attributes["indbr_operand_segments"] = i32_array(*sizes)
    cursor.attr_dict(parsed)


def _indirect_ranges(op: Operation) -> list[range]:
    ends = [*accumulate(numbers_property(op, "indbr_operand_segments"), initial=1)]
    return [range(start, end) for start, end in pairwise(ends)]


def _change_indirect(op: Operation, passed: Mapping[int, Sequence[Value]]) -> None:
    ranges = _indirect_ranges(op)
    replace_ranges(op, {ranges[index]: operands for index, operands in passed.items()})
    sizes = [len(passed.get(index, each)) for index, each in enumerate(ranges)]
    op.properties["indbr_operand_segments"] = i32_array(*sizes)


VERIFY: Final[Checks] = {
    "llvm.br": verify_branch,
    "llvm.cond_br": verify_weighted_branch,
    "llvm.indirectbr": verify_branch,
}


CODE: Final = {
    "br": OpCode(interfaces=(branch_by_groups("destOperands"),)),
    "cond_br": OpCode(interfaces=(branch_by_groups("trueDestOperands", "falseDestOperands"),)),
    "switch": OpCode(interfaces=(BRANCH_BY_CASE,), custom=CustomSyntax(_parse_switch, _print_switch, _resolve_switch)),
    "indirectbr": OpCode(
        interfaces=(Branch(_indirect_ranges, _change_indirect),),
        custom=CustomSyntax(_parse_indirectbr, _print_indirectbr),
    ),
}
