"""`math-uplift-to-fma`: a product that is added to something, as one operation that rounds once.

%0 = arith.mulf %a, %b fastmath<contract> : f32
%1 = arith.addf %0, %c fastmath<contract> : f32   ->   %1 = math.fma %a, %b, %c fastmath<contract> : f32
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.arith.attributes import FASTMATH, FASTMATH_FLAGS
from fathom.irdl.constraints import enum_attribute
from fathom.ops.arith import AddfOp, MulfOp
from fathom.passes.definition import Pass
from fathom.records import record
from fathom.rewriting.pattern import Failure, Pattern, defined_by

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


@record
class MathUpliftToFMA(Pass):
    """Both operations must be allowed to contract. What nobody uses then goes, constants are folded, and the control
    flow is simplified, as always where patterns are applied until nothing changes."""

    name = "math-uplift-to-fma"
    summary = "joins a product and a sum to math.fma"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, [Pattern("arith.addf", _uplift, name="UpliftFma")], context)
        return []


def _uplift(op: AddfOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    lhs, rhs = operands
    product, other = defined_by(lhs, MulfOp), rhs
    if product is None:
        product, other = defined_by(rhs, MulfOp), lhs
    if product is None:
        return Failure("no operand is a product")
    flags = op.fastmath.value & product.fastmath.value
    if not flags & FASTMATH_FLAGS["contract"]:
        return Failure("the sum or the product may not be contracted")
    properties = {"fastmath": enum_attribute(FASTMATH, flags)}
    rewriter.replace_with(op, "math.fma", [*product.operands, other], [op.result.type], properties)
    return None
