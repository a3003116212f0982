"""What MLIR's verifiers say of emitc's expressions and control flow.

Source of the rules: *'emitc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.emitc.checks import text_of
from fathom.dialects.emitc.types import is_fundamental
from fathom.ir.property_values import numbers_property
from fathom.ir.types import I1
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Complaint, verifies

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region


@verifies("emitc.expression")
def expression(op: Operation) -> Complaint:
    block = op.regions[0].first
    last = block.last if block is not None else None
    if block is None or last is None or last.name != "emitc.yield" or not last.operands:
        return "must yield a value at termination"
    value = last.operands[0]
    root = value.defining_op
    if root is None:
        return "yielded value has no defining op"
    if root.parent_op is not op:
        return "yielded value not defined within expression"
    if op.result.type != value.type:
        return "requires yielded type to match return type"
    for each in block:
        if each is last:
            continue
        if each.definition is None or not any(t.name == "CExpressionInterface" for t in each.definition.traits):
            return "contains an unsupported operation"
        if len(each.results) != 1:
            return "requires exactly one result for each operation"
        if not each.result.uses:
            return "contains an unused operation"
    if _is_repeated(root):
        return "requires exactly one use for operations with side effects"
    return None


def _is_repeated(root: Operation) -> bool:
    """Whether something with effects would be written more than once, where the expression is written from its root."""
    seen: set[Operation] = set()
    todo = [root]
    while todo:
        each = todo.pop()
        if each in seen:
            if _has_effects(each):
                return True
            continue
        seen.add(each)
        todo += each.definers
    return False


def _has_effects(op: Operation) -> bool:
    """Whether it matters how often the C expression that an operation stands for is evaluated."""
    if op.name == "emitc.apply":
        return text_of(op, "applicableOperator") == "*"
    if op.name == "emitc.expression":
        return any(_has_effects(each) for each in op.regions[0].walk() if each.name != "emitc.yield")
    if op.name in ("emitc.address_of", "emitc.call", "emitc.cast", "emitc.conditional"):
        return False
    if op.name in ("emitc.call_opaque", "emitc.load"):
        return True
    return not all(is_fundamental(value.type) for value in op.operands or op.results)


@verifies("emitc.for", regions=True)
def for_(op: Operation) -> Complaint:
    block = op.regions[0].first
    arguments = block.arguments if block is not None else []
    if len(arguments) != 1:
        return "expected body to have a single block argument for the induction variable"
    if arguments[0].type != op.operands[0].type:
        return "expected induction variable to be same type as bounds and step"
    return None


@verifies("emitc.yield")
def yield_(op: Operation) -> Complaint:
    around = op.parent_op
    if around is None or around.name == "emitc.do":
        return None
    if op.operands and len(around.results) != 1:
        return "yields a value not returned by parent"
    if not op.operands and around.results:
        return "does not yield a value to be returned by parent"
    return None


@verifies("emitc.switch")
def switch(op: Operation) -> Complaint:
    numbers = numbers_property(op, "cases")
    if len(numbers) != len(op.regions) - 1:
        return f"has {len(op.regions) - 1} case regions but {len(numbers)} case values"
    for index, number in enumerate(numbers):
        if number in numbers[:index]:
            return f"has duplicate case value: {number}"
    names = ["default region", *(f"case region #{index}" for index in range(len(numbers)))]
    return next((found for r, name in zip(op.regions, names, strict=True) if (found := _case(r, name))), None)


def _case(region: Region, name: str) -> Complaint:
    last = region.first.last if region.first is not None else None
    if last is None:
        return None
    if last.name != "emitc.yield":
        return f"expected region to end with emitc.yield, but got {last.name}"
    if last.operands:
        return f"expected each region to return 0 values, but {name} returns {len(last.operands)}"
    return None


@verifies("emitc.do")
def do(op: Operation) -> Complaint:
    body, condition = (region.first for region in op.regions)
    inside: Sequence[Operation] = [*condition] if condition is not None else []
    wanted = "condition region must contain exactly two operations: 'emitc.expression' followed by 'emitc.yield'"
    if len(inside) != 2:
        return f"{wanted}, but found {len(inside)} operations"
    first, last = inside
    if first.name != "emitc.expression":
        return f"expected first op in condition region to be 'emitc.expression', but got {first.name}"
    if first.result.type != I1:
        returned = f"must return 'i1', but returns '{first.result.type}'"
        return f"emitc.expression in condition region {returned}"
    if last.name != "emitc.yield":
        return f"expected last op in condition region to be 'emitc.yield', but got {last.name}"
    if len(last.operands) != 1:
        return f"expected condition region to return 1 value, but it returns {len(last.operands)} values"
    if last.operands[0].defining_op is not first:
        message = "'emitc.yield' must return result of 'emitc.expression' from this condition region"
        return Problem(message, bare=True)
    end = body.last if body is not None else None
    if end is not None and end.name == "emitc.yield":
        return "body region must not contain terminator"
    return None
