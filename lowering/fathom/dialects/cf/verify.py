"""What MLIR's verifiers say of the operations of cf."""

from __future__ import annotations

from fathom.dialects.cf.switches import case_count, verify_branch
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import numbers_property
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.cf import CondBrOp, SwitchOp


@verifies("cf.cond_br")
def verify_weighted_branch(op: CondBrOp) -> Complaint:
    """What is wrong with the weights of the successors, or with the values that they get."""
    return weights_problem(op) or verify_branch(op)


def weights_problem(op: Operation) -> Problem | None:
    """What is wrong with the weights of the successors, if there are any."""
    weights = numbers_property(op, "branch_weights")
    if not weights:
        return None
    count, branches = len(weights), len(op.successors)
    if count != branches:
        message = f"expects number of branch weights to match number of successors: {count} vs {branches}"
        return Problem(message, bare=True)
    return None if any(weights) else Problem("branch weights cannot all be zero", bare=True)


@verifies("cf.switch")
def _verify_switch(op: SwitchOp) -> Complaint:
    values, destinations, flag = op.case_values, op.caseDestinations, op.flag.type
    if not isinstance(values, DenseElementsAttr):
        return verify_branch(op) if not destinations else "expects case values for its destinations"
    if values.type.element != flag:
        return f"'flag' type ('{flag}') should match case value type ('{values.type.element}')"
    count = case_count(values)
    if count != len(destinations):
        return f"number of case values ({count}) should match number of case destinations ({len(destinations)})"
    return verify_branch(op)
