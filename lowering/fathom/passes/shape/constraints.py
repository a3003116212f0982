"""Constraints on shapes as questions with an answer that is required."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import TRUE, StringAttr
from fathom.ir.types import I1
from fathom.rewriting.pattern import Pattern, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops import shape as ops
    from fathom.rewriting.rewriter import Rewriter


def witness(op: Operation, rewriter: Rewriter) -> Operation:
    """`shape.const_witness true` in the place of an operation that gives a witness."""
    return rewriter.create("shape.const_witness", (), [op.result.type], {"passing": TRUE})


def _requiring(root: str, question: str, message: str, name: str) -> Pattern:
    def give(op: Operation, rewriter: Rewriter) -> Operation:
        answer = rewriter.create(question, op.operands, [I1]).result
        return rewriter.create("shape.cstr_require", [answer], [op.result.type], {"msg": StringAttr(message)})

    return replacing(root, give, name=name)


def _asserted(op: ops.CstrRequireOp, rewriter: Rewriter) -> Operation:
    rewriter.create("cf.assert", [op.pred], (), {"msg": op.msg})
    return witness(op, rewriter)


REQUIRED: Final = (
    _requiring(
        "shape.cstr_broadcastable",
        "shape.is_broadcastable",
        "required broadcastable shapes",
        "CstrBroadcastableToRequire",
    ),
    _requiring("shape.cstr_eq", "shape.shape_eq", "required equal shapes", "CstrEqToRequire"),
)
"""What is asked for is found out, and required."""
ASSERTED: Final = (*REQUIRED, replacing("shape.cstr_require", _asserted, name="ConvertCstrRequireOp"))
"""What is required is asserted."""
