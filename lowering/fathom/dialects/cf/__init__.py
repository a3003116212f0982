"""The cf dialect: branches between the blocks of a region, and assertions.

Source of the rules: *'cf' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import Modules
from fathom.dialects.cf.switches import BRANCH_BY_CASE, case_count, case_values, switch_syntax, verify_branch
from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr, IntegerAttr
from fathom.ir.operation import Block, Operation
from fathom.ir.property_values import text_property
from fathom.irdl.constraints import (
    ANY,
    ANY_INTEGER,
    DENSE_I32_ARRAY,
    I1_TYPE,
    INTEGER_ELEMENTS,
    STRING,
)
from fathom.irdl.definition import OpDefinition, Operand, Problem, Property, SuccessorDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.groups import Arity
from fathom.irdl.interfaces import Assertion, EffectKind, branch_by_groups, effects_on
from fathom.irdl.traits import ATTR_SIZED_OPERAND_SEGMENTS, PURE, TERMINATOR
from fathom.records import replace


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


def _by_condition(op: Operation, constants: Sequence[Attribute | None]) -> int | None:
    condition = constants[0]
    return int(not condition.value) if isinstance(condition, IntegerAttr) else None


COND_BR: Final = OpDefinition(
    "cf.cond_br",
    interfaces=(replace(branch_by_groups("trueDestOperands", "falseDestOperands"), choose=_by_condition),),
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
    interfaces=(
        effects_on((EffectKind.WRITE, "")),
        Assertion(lambda op: op.operands[0], lambda op: text_property(op, "msg") or ""),
    ),
    operands=(Operand("arg", I1_TYPE),),
    properties=(Property("msg", STRING),),
    assembly="$arg `,` $msg attr-dict",
    summary="stops the program with a message unless the condition holds",
)


# ---- cf.switch


def _verify_switch(op: Operation) -> Sequence[Problem]:
    attribute = op.properties.get("case_values")
    destinations: list[Block] = op.successors[1:]
    if not isinstance(attribute, DenseElementsAttr):
        return verify_branch(op) if not destinations else (Problem("expects case values for its destinations"),)
    flag = op.operands[0].type
    if attribute.type.element != flag:
        return (Problem(f"'flag' type ('{flag}') should match case value type ('{attribute.type.element}')"),)
    count = case_count(attribute)
    if count != len(destinations):
        message = f"number of case values ({count}) should match number of case destinations ({len(destinations)})"
        return (Problem(message),)
    return verify_branch(op)


def _by_flag(op: Operation, constants: Sequence[Attribute | None]) -> int | None:
    flag, cases = constants[0], case_values(op)
    if not isinstance(flag, IntegerAttr):
        return 0 if not cases else None
    return cases.index(flag.value) + 1 if flag.value in cases else 0


SWITCH: Final = OpDefinition(
    "cf.switch",
    interfaces=(replace(BRANCH_BY_CASE, choose=_by_flag),),
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
    custom=switch_syntax("flag", "case_values"),
    verify=_verify_switch,
    summary="goes to the block of the case that the flag equals, or else to the default",
)

DIALECT: Final = Dialect("cf", operations=(ASSERT, BR, COND_BR, SWITCH), aspects=Modules("cf"), complete=True)
