"""`tosa-layerwise-constant-fold`: transpositions, reciprocals and reductions of constants are computed.

    %0 = "tosa.const"() <{values = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
    %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x1xi32>
->
    %0 = "tosa.const"() <{values = dense<[[6], [15]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TosaLayerwiseConstantFoldPass(Pass):
    """Where that saves a constant, or makes a splat of one; tosa's operations are brought to canonical form as well."""

    name = "tosa-layerwise-constant-fold"
    summary = "computes what tosa's operations make of constants"
    anchor = "func.func"

    aggressive_reduce_constant: bool = option(False, "compute reductions of constants that others use, too", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.dialects.tosa.canonicalization import CANONICALIZATION
        from fathom.passes.transforms.tosa_layerwise_constant_fold.constants import patterns
        from fathom.rewriting.greedy_driver import apply_patterns

        chosen = patterns(of_shared=self.aggressive_reduce_constant)
        apply_patterns(op, (*chosen, *CANONICALIZATION), context)
        return []
