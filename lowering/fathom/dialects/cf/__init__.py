"""The cf dialect: branches between the blocks of a region, and assertions.

Source of the rules: *'cf' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import load_described
from fathom.dialects.cf.switches import BRANCH_BY_CASE, case_count, case_values, switch_syntax, verify_branch
from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr, IntegerAttr
from fathom.ir.operation import Block, Operation
from fathom.ir.property_values import text_property
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import Assertion, branch_by_groups
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


def _by_condition(op: Operation, constants: Sequence[Attribute | None]) -> int | None:
    condition = constants[0]
    return int(not condition.value) if isinstance(condition, IntegerAttr) else None


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


CODE: Final = DialectCode(
    {
        "assert": OpCode(interfaces=(Assertion(lambda op: op.operands[0], lambda op: text_property(op, "msg") or ""),)),
        "br": OpCode(interfaces=(branch_by_groups("destOperands"),), verify=verify_branch),
        "cond_br": OpCode(
            interfaces=(replace(branch_by_groups("trueDestOperands", "falseDestOperands"), choose=_by_condition),),
            verify=verify_weighted_branch,
        ),
        "switch": OpCode(
            custom=switch_syntax("flag", "case_values"),
            interfaces=(replace(BRANCH_BY_CASE, choose=_by_flag),),
            verify=_verify_switch,
        ),
    }
)
DIALECT: Final = load_described("cf", CODE)
