"""The canonicalisation of calls. Source of the rules: mlir-opt 22."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import types_of
from fathom.ops.func import CallIndirectOp
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def call_of_known_function(op: CallIndirectOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
    %f = func.constant @f : () -> i32
    %0 = func.call_indirect %f() : () -> i32       becomes       %0 = func.call @f() : () -> i32
    """
    callee = constant_value(op.callee)
    if not isinstance(callee, SymbolRefAttr):
        return Failure("the function is not known")
    rewriter.replace_with(op, "func.call", op.callee_operands, types_of(op.results), {"callee": callee})
    return None


CANONICALIZATION: Final = (Pattern("func.call_indirect", call_of_known_function, name="canonicalize"),)
