"""`tosa-to-arith`: constants of tosa as those of arith and, if asked for, the scaling of fixed-point numbers.

    %0 = "tosa.const"() <{values = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>
->
    %cst = arith.constant dense<1> : tensor<4xi32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.ops.tosa import ConstOp
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure


@record
class TosaToArithPass(Pass):
    """Scaling stays where it is unless the pass is told to include it, since other passes look for it."""

    name = "tosa-to-arith"
    summary = "lowers tosa's constants, and scaling if asked for, to arith"
    handles = ("tosa.const", "tosa.apply_scale")

    include_apply_rescale: bool = option(False, "lower tosa.apply_scale too", BOOL)
    use_32_bit: bool = option(False, "scale with integers of 32 bits where they suffice", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.tosa_to_arith import scaling
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().illegal("tosa.const").legal("arith")
        patterns = [Pattern("tosa.const", _constant, name="ConstOpConverter")]
        if self.include_apply_rescale:
            target.illegal("tosa.apply_scale")
            patterns += scaling.patterns(use_32_bit=self.use_32_bit)
        return apply_partial_conversion(op, target, patterns, context)


def _constant(op: ConstOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The type is that of the elements: of quantized ones that of what is stored, which has no cast to the other."""
    from fathom.ir.attributes import DenseElementsAttr, DenseResourceAttr, SparseElementsAttr
    from fathom.rewriting.pattern import NO_MATCH

    elements = op.values
    if not isinstance(elements, (DenseElementsAttr, DenseResourceAttr, SparseElementsAttr)):
        return NO_MATCH
    rewriter.replace(op, [rewriter.constant(elements, elements.type)])
    return None
