"""What MLIR's verifiers say of emitc's expressions and control flow.

Source of the rules: *'emitc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.emitc.types import is_fundamental
from fathom.ir.attributes import StringAttr
from fathom.ir.types import I1
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import emitc as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region


@verifies("emitc.expression")
def expression(op: ops.ExpressionOp) -> Complaint:
    block = op.region.first
    last = block.last if block is not None else None
    if block is None or not isinstance(last, ops.YieldOp) or not last.operands:
        return "must yield a value at termination"
    value = last.operands[0]
    root = value.defining_op
    if root is None:
        return "yielded value has no defining op"
    if root.parent_op is not op:
        return "yielded value not defined within expression"
    if op.result.type != value.type:
        return "requires yielded type to match return type"
    for inner in block:
        if inner is last:
            continue
        if inner.definition is None or not any(t.name == "CExpressionInterface" for t in inner.definition.traits):
            return "contains an unsupported operation"
        if len(inner.results) != 1:
            return "requires exactly one result for each operation"
        if not inner.result.uses:
            return "contains an unused operation"
    if _is_repeated(root):
        return "requires exactly one use for operations with side effects"
    return None


def _is_repeated(root: Operation) -> bool:
    """Whether something with effects would be written more than once, where the expression is written from its root."""
    seen: set[Operation] = set()
    todo = [root]
    while todo:
        op = todo.pop()
        if op in seen:
            if _has_effects(op):
                return True
            continue
        seen.add(op)
        todo += op.definers
    return False


def _has_effects(op: Operation) -> bool:
    """Whether it matters how often the C expression that an operation stands for is evaluated."""
    if isinstance(op, ops.ApplyOp):
        return op.applicableOperator == StringAttr("*")
    if isinstance(op, ops.ExpressionOp):
        return any(_has_effects(operation) for operation in op.region.walk() if not isinstance(operation, ops.YieldOp))
    if isinstance(op, (ops.AddressOfOp, ops.CallOp, ops.CastOp, ops.ConditionalOp)):
        return False
    if isinstance(op, (ops.CallOpaqueOp, ops.LoadOp)):
        return True
    return not all(is_fundamental(value.type) for value in op.operands or op.results)


@verifies("emitc.for", regions=True)
def for_(op: ops.ForOp) -> Complaint:
    block = op.region.first
    arguments = block.arguments if block is not None else []
    if len(arguments) != 1:
        return "expected body to have a single block argument for the induction variable"
    if arguments[0].type != op.lowerBound.type:
        return "expected induction variable to be same type as bounds and step"
    return None


@verifies("emitc.yield")
def yield_(op: ops.YieldOp) -> Complaint:
    around = op.parent_op
    if around is None or isinstance(around, ops.DoOp):
        return None
    if op.operands and len(around.results) != 1:
        return "yields a value not returned by parent"
    if not op.operands and around.results:
        return "does not yield a value to be returned by parent"
    return None


@verifies("emitc.switch")
def switch(op: ops.SwitchOp) -> Complaint:
    numbers = op.cases.values
    if len(numbers) != len(op.regions) - 1:
        return f"has {len(op.regions) - 1} case regions but {len(numbers)} case values"
    for index, number in enumerate(numbers):
        if number in numbers[:index]:
            return f"has duplicate case value: {number}"
    names = ["default region", *(f"case region #{index}" for index in range(len(numbers)))]
    return next((problem for r, name in zip(op.regions, names, strict=True) if (problem := _case(r, name))), None)


def _case(region: Region, name: str) -> Complaint:
    last = region.first.last if region.first is not None else None
    if last is None:
        return None
    if not isinstance(last, ops.YieldOp):
        return f"expected region to end with emitc.yield, but got {last.name}"
    if last.operands:
        return f"expected each region to return 0 values, but {name} returns {len(last.operands)}"
    return None


@verifies("emitc.do")
def do(op: ops.DoOp) -> Complaint:
    body, condition = (region.first for region in op.regions)
    inside: Sequence[Operation] = [*condition] if condition is not None else []
    wanted = "condition region must contain exactly two operations: 'emitc.expression' followed by 'emitc.yield'"
    if len(inside) != 2:
        return f"{wanted}, but found {len(inside)} operations"
    first, last = inside
    if not isinstance(first, ops.ExpressionOp):
        return f"expected first op in condition region to be 'emitc.expression', but got {first.name}"
    if first.result.type != I1:
        returned = f"must return 'i1', but returns '{first.result.type}'"
        return f"emitc.expression in condition region {returned}"
    if not isinstance(last, ops.YieldOp):
        return f"expected last op in condition region to be 'emitc.yield', but got {last.name}"
    if len(last.operands) != 1:
        return f"expected condition region to return 1 value, but it returns {len(last.operands)} values"
    if last.operands[0].defining_op is not first:
        return bare("'emitc.yield' must return result of 'emitc.expression' from this condition region")
    end = body.last if body is not None else None
    if isinstance(end, ops.YieldOp):
        return "body region must not contain terminator"
    return None
