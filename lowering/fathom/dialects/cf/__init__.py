"""The cf dialect: branches between the blocks of a region, and assertions.

Source of the rules: *'cf' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith import materialize_constant
from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.types import I32, IndexType, IntegerType, Type, VectorType
from fathom.irdl.constraints import (
    ANY,
    ANY_INTEGER,
    DENSE_I32_ARRAY,
    I1_TYPE,
    INTEGER_ELEMENTS,
    STRING,
)
from fathom.irdl.definition import CustomSyntax, OpDefinition, Operand, Problem, Property, SuccessorDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.groups import Arity
from fathom.irdl.interfaces import Branch, EffectKind, branch_by_groups, effects_on, replace_range
from fathom.irdl.traits import ATTR_SIZED_OPERAND_SEGMENTS, PURE, TERMINATOR

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


def successor_operands(op: Operation) -> list[list[Value]]:
    """The values that each successor of a branch of this dialect gets, in the order of the successors."""
    branch = op.interface(Branch)
    return [branch.passed(op, index) for index in range(len(branch.ranges(op)))] if branch is not None else []


def verify_branch(op: Operation) -> Sequence[Problem]:
    """What is wrong with the values that successors get."""
    for index, (block, operands) in enumerate(zip(op.successors, successor_operands(op), strict=False)):
        if len(operands) != len(block.arguments):
            message = (
                f"branch has {len(operands)} operands for successor #{index}, "
                f"but target block has {len(block.arguments)}"
            )
            return (Problem(message, bare=True),)
        for position, (operand, argument) in enumerate(zip(operands, block.arguments, strict=True)):
            if operand.type != argument.type:
                return (Problem(f"type mismatch for bb argument #{position} of successor #{index}", bare=True),)
    return ()


def weights_problem(op: Operation) -> Problem | None:
    """What is wrong with the weights of the successors, if there are any."""
    weights = op.properties.get("branch_weights")
    if not isinstance(weights, DenseArrayAttr) or not weights.values:
        return None
    count, branches = len(weights.values), len(op.successors)
    if count != branches:
        message = f"expects number of branch weights to match number of successors: {count} vs {branches}"
        return Problem(message, bare=True)
    return None if any(weights.values) else Problem("branch weights cannot all be zero", bare=True)


def verify_weighted_branch(op: Operation) -> Sequence[Problem]:
    """What is wrong with the weights of the successors, or with the values that they get."""
    problem = weights_problem(op)
    return (problem,) if problem is not None else verify_branch(op)


BR: Final = OpDefinition(
    "cf.br",
    interfaces=(branch_by_groups("destOperands"),),
    operands=(Operand("destOperands", ANY, Arity.VARIADIC),),
    successors=(SuccessorDefinition("dest"),),
    traits=(PURE, TERMINATOR),
    assembly="$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict",
    verify=verify_branch,
    summary="goes to a block",
)

COND_BR: Final = OpDefinition(
    "cf.cond_br",
    interfaces=(branch_by_groups("trueDestOperands", "falseDestOperands"),),
    operands=(
        Operand("condition", I1_TYPE),
        Operand("trueDestOperands", ANY, Arity.VARIADIC),
        Operand("falseDestOperands", ANY, Arity.VARIADIC),
    ),
    properties=(Property("branch_weights", DENSE_I32_ARRAY, optional=True),),
    successors=(SuccessorDefinition("trueDest"), SuccessorDefinition("falseDest")),
    traits=(ATTR_SIZED_OPERAND_SEGMENTS, PURE, TERMINATOR),
    assembly="$condition (`weights` `(` $branch_weights^ `)`)? `,` "
    "$trueDest (`(` $trueDestOperands^ `:` type($trueDestOperands) `)`)? `,` "
    "$falseDest (`(` $falseDestOperands^ `:` type($falseDestOperands) `)`)? attr-dict",
    verify=verify_weighted_branch,
    summary="goes to one of two blocks",
    description="The weights say how often each is expected to be taken.",
)

ASSERT: Final = OpDefinition(
    "cf.assert",
    interfaces=(effects_on((EffectKind.WRITE, "")),),
    operands=(Operand("arg", I1_TYPE),),
    properties=(Property("msg", STRING),),
    assembly="$arg `,` $msg attr-dict",
    summary="stops the program with a message unless the condition holds",
)


# ---- cf.switch


def case_values(op: Operation) -> list[int]:
    """The value of each case of a switch, signed."""
    attribute = op.properties.get("case_values")
    if not isinstance(attribute, DenseElementsAttr):
        return []
    values = [value for value in attribute.values if isinstance(value, int)]
    return values * _count(attribute.type.shape) if attribute.is_splat else values


def _count(shape: tuple[int, ...] | None) -> int:
    return shape[0] if shape else 1


def case_segments(op: Operation) -> tuple[int, ...]:
    """How many values each case of a switch hands over."""
    attribute = op.properties.get("case_operand_segments")
    return attribute.values if isinstance(attribute, DenseArrayAttr) else ()


def _parse_switch(cursor: OpParser, parsed: ParsedOp) -> list[int]:
    """`%flag : i32, [default: ^bb1(%a : i32), 5: ^bb2]`; the values of the cases."""
    parsed.operands["flag"] = [cursor.value_use()]
    cursor.expect(":")
    parsed.types["flag"] = [cursor.type()]
    cursor.expect(",")
    cursor.expect("[")
    cursor.expect("default", "custom op 'cf.switch' expected 'default'")
    cursor.expect(":")
    cursor.successor(parsed)
    values: list[int] = []
    while cursor.accept(","):
        values.append(cursor.integer_literal("custom op 'cf.switch' expected integer value"))
        cursor.expect(":")
        cursor.successor(parsed)
    cursor.expect("]")
    cursor.attr_dict(parsed)
    return values


def _resolve_switch(resolver: Resolver, parsed: ParsedOp, values: list[int]) -> None:
    flag = resolver.type(parsed.types["flag"][0])
    resolver.operands = [resolver.operand(parsed.operands["flag"][0], flag)]
    resolver.resolve_successors()
    sizes = [len(successor.operands) for successor in parsed.successors]
    resolver.properties.update(switch_properties(flag, values, sizes))


def switch_properties(flag: Type, values: Sequence[int], sizes: Sequence[int]) -> dict[str, Attribute]:
    """The properties of a switch on `flag` with these case values, whose successors (the default first) get so many
    values each."""
    properties: dict[str, Attribute] = {
        "case_operand_segments": DenseArrayAttr(I32, tuple(sizes[1:])),
        "operandSegmentSizes": DenseArrayAttr(I32, (1, sizes[0], sum(sizes[1:]))),
    }
    if values:
        properties["case_values"] = dense_cases([_wrap(value, flag) for value in values], flag)
    return properties


def dense_cases(values: Sequence[int], flag: Type) -> DenseElementsAttr:
    """The values of cases as the property holds them: `dense<[1, 2]> : vector<2xi32>`."""
    elements = values[:1] if len(set(values)) == 1 else values
    return DenseElementsAttr(tuple(elements), VectorType((len(values),), flag))


def _width(type: Type) -> int:
    return type.width if isinstance(type, IntegerType) else 64


def _wrap(value: int, type: Type) -> int:
    width = _width(type)
    value &= (1 << width) - 1
    is_signed = isinstance(type, IndexType) or (width > 1 and isinstance(type, IntegerType) and type.signedness != "u")
    return value - (1 << width) if is_signed and value >> (width - 1) else value


def _print_switch(op: Operation, printer: OpPrinter) -> None:
    flag = op.operands[0]
    printer.write(" ")
    printer.value(flag)
    printer.write(" : ")
    printer.type(flag.type)
    printer.write(", [")
    printer.newline()
    operands = successor_operands(op)
    labels = ["default", *(str(value & ((1 << _width(flag.type)) - 1)) for value in case_values(op))]
    for index, (label, block, values) in enumerate(zip(labels, op.successors, operands, strict=False)):
        if index:
            printer.write(",")
            printer.newline()
        printer.write(f"  {label}: ")
        printer.successor(block, values)
    if len(labels) > 1:
        printer.newline()
    printer.write("]")
    printer.attr_dict(op, ("case_values", "case_operand_segments"))


def _verify_switch(op: Operation) -> Sequence[Problem]:
    attribute = op.properties.get("case_values")
    destinations: list[Block] = op.successors[1:]
    if not isinstance(attribute, DenseElementsAttr):
        return verify_branch(op) if not destinations else (Problem("expects case values for its destinations"),)
    flag = op.operands[0].type
    if attribute.type.element != flag:
        return (Problem(f"'flag' type ('{flag}') should match case value type ('{attribute.type.element}')"),)
    count = _count(attribute.type.shape)
    if count != len(destinations):
        message = f"number of case values ({count}) should match number of case destinations ({len(destinations)})"
        return (Problem(message),)
    return verify_branch(op)


def _successor_ranges(op: Operation) -> list[range]:
    """The operands for the default block, then those for each case."""
    segments = op.properties.get("operandSegmentSizes")
    default = segments.values[1] if isinstance(segments, DenseArrayAttr) and len(segments.values) > 1 else 0
    ranges = [range(1, 1 + default)]
    for size in case_segments(op):
        ranges.append(range(ranges[-1].stop, ranges[-1].stop + size))
    return ranges


def _change_successor_operands(op: Operation, index: int, operands: Sequence[Value]) -> None:
    ranges = _successor_ranges(op)
    sizes = [len(each) for each in ranges]
    sizes[index] = len(operands)
    replace_range(op, ranges[index], operands)
    op.properties["case_operand_segments"] = DenseArrayAttr(I32, tuple(sizes[1:]))
    op.properties["operandSegmentSizes"] = DenseArrayAttr(I32, (1, sizes[0], sum(sizes[1:])))


BRANCH_BY_CASE: Final = Branch(_successor_ranges, _change_successor_operands)
"""How a switch passes operands on: those for the default, and those for each case, whose numbers a property holds."""

SWITCH: Final = OpDefinition(
    "cf.switch",
    interfaces=(BRANCH_BY_CASE,),
    operands=(
        Operand("flag", ANY_INTEGER),
        Operand("defaultOperands", ANY, Arity.VARIADIC),
        Operand("caseOperands", ANY, Arity.VARIADIC),
    ),
    properties=(
        Property("case_values", INTEGER_ELEMENTS, optional=True),
        Property("case_operand_segments", DENSE_I32_ARRAY),
    ),
    successors=(SuccessorDefinition("defaultDestination"), SuccessorDefinition("caseDestinations", Arity.VARIADIC)),
    traits=(ATTR_SIZED_OPERAND_SEGMENTS, PURE, TERMINATOR),
    custom=CustomSyntax(_parse_switch, _print_switch, _resolve_switch),
    verify=_verify_switch,
    summary="goes to the block of the case that the flag equals, or else to the default",
)

DIALECT: Final = Dialect(
    "cf", operations=(ASSERT, BR, COND_BR, SWITCH), materialize_constant=materialize_constant, complete=True
)
