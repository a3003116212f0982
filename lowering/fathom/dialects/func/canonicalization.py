"""The canonicalisation of calls. Source of the rules: mlir-opt 22."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import types_of
from fathom.ops.func import CallIndirectOp
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Replacement, replacing

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def call_of_known_function(op: CallIndirectOp, rewriter: Rewriter) -> Replacement:
    """
    %f = func.constant @f : () -> i32
    %0 = func.call_indirect %f() : () -> i32       becomes       %0 = func.call @f() : () -> i32
    """
    callee = constant_value(op.callee)
    if not isinstance(callee, SymbolRefAttr):
        return Failure("the function is not known")
    return rewriter.create("func.call", op.callee_operands, types_of(op.results), {"callee": callee})


CANONICALIZATION: Final = (replacing("func.call_indirect", call_of_known_function, name="canonicalize"),)
