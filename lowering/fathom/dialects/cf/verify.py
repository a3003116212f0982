"""What MLIR's verifiers say of the operations of cf."""

from __future__ import annotations

from typing import Final

from fathom.dialects.cf import switches
from fathom.dialects.cf.switches import case_count, verify_branch
from fathom.ir.attributes import DenseArrayAttr, DenseElementsAttr
from fathom.ir.operation import Block, Operation
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Complaint, verifies


@verifies("cf.cond_br")
def verify_weighted_branch(op: Operation) -> Complaint:
    """What is wrong with the weights of the successors, or with the values that they get."""
    problem = weights_problem(op)
    return problem if problem is not None else verify_branch(op)


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


@verifies("cf.switch")
def _verify_switch(op: Operation) -> Complaint:
    attribute = op.properties.get("case_values")
    destinations: list[Block] = op.successors[1:]
    if not isinstance(attribute, DenseElementsAttr):
        return verify_branch(op) if not destinations else "expects case values for its destinations"
    flag = op.operands[0].type
    if attribute.type.element != flag:
        return f"'flag' type ('{flag}') should match case value type ('{attribute.type.element}')"
    count = case_count(attribute)
    if count != len(destinations):
        return f"number of case values ({count}) should match number of case destinations ({len(destinations)})"
    return verify_branch(op)


PARTS: Final = (switches,)
