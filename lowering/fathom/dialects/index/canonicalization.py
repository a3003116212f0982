"""The patterns of the index dialect's canonicalisation.

Source of the rules: `mlir/lib/Dialect/Index/IR/IndexOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.index.folds import calculated, constant_of
from fathom.ir.operation import Operation
from fathom.ir.types import INDEX
from fathom.ops.index import CmpOp, SubOp
from fathom.rewriting.pattern import Failure, Replacement, defined_by, replacing
from fathom.rewriting.rewriter import Rewriter

_ASSOCIATIVE: Final = ("add", "mul", "maxs", "maxu", "mins", "minu", "and", "or", "xor")


def _reassociate(op: Operation, rewriter: Rewriter) -> Replacement:
    """Joins the constants of two operations of one kind.

    %0 = index.add %x, %c1          %0 = index.add %x, %c3
    %1 = index.add %0, %c2   ->
    """
    inner = op.operands[0].defining_op
    if inner is None or inner.name != op.name:
        return Failure("the left-hand side is not the same operation")
    first, second = constant_of(op.operands[1]), constant_of(inner.operands[1])
    if first is None or second is None:
        return Failure("a right-hand side is not a constant")
    joined = calculated(op.name.removeprefix("index."), first, second)
    if joined is None:
        return Failure("the constants cannot be joined")
    constant = rewriter.create("index.constant", (), [INDEX], {"value": joined})
    return rewriter.create(op.name, [inner.operands[0], constant.result], [INDEX])


def _compare_difference(op: CmpOp, rewriter: Rewriter) -> Replacement:
    """Compares two values in place of their difference with zero.

    %0 = index.sub %a, %b
    %1 = index.cmp eq(%0, %zero)   ->   %1 = index.cmp eq(%a, %b)
    """
    right_is_zero = constant_of(op.rhs) == 0
    if not right_is_zero and constant_of(op.lhs) != 0:
        return Failure("nothing is compared with zero")
    difference = defined_by(op.lhs if right_is_zero else op.rhs, SubOp)
    if difference is None:
        return Failure("what is compared is no difference")
    compared = [difference.lhs, difference.rhs] if right_is_zero else [difference.rhs, difference.lhs]
    return rewriter.create(op.name, compared, [op.result.type], op.properties)


CANONICALIZATION: Final = (
    *(replacing(f"index.{name}", _reassociate, name="canonicalize") for name in _ASSOCIATIVE),
    replacing("index.cmp", _compare_difference, name="canonicalize"),
)
