"""`lower-vector-multi-reduction`: reductions in several dimensions as arithmetic on vectors, or as reductions of rows.

    %0 = vector.multi_reduction <add>, %v, %acc [0] : vector<2x4xf32> to vector<4xf32>
->
    %1 = vector.extract %v[0] : vector<4xf32> from vector<2x4xf32>
    %2 = arith.addf %1, %acc : vector<4xf32>
    %3 = vector.extract %v[1] : vector<4xf32> from vector<2x4xf32>
    %0 = arith.addf %3, %2 : vector<4xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import Pass
from fathom.passes.options import one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

STRATEGIES: Final = {
    "inner-parallel": "those that are kept: rows are combined element by element",
    "inner-reduction": "those that are reduced: each row is reduced on its own",
}


@record
class LowerVectorMultiReduction(Pass):
    """Transpositions bring the dimensions that are reduced before or behind the others, and reshapes make one of them
    all."""

    name = "lower-vector-multi-reduction"
    summary = "writes vector.multi_reduction as reductions and element-wise operations"
    anchor = "func.func"
    handles = ("vector.multi_reduction",)

    lowering_strategy: str = option("inner-parallel", "which dimensions are brought to the inside", one_of(STRATEGIES))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.vectors.multi_reductions import multi_reductions
        from fathom.rewriting.greedy_driver import apply_patterns

        patterns = multi_reductions(reduced_inside=self.lowering_strategy == "inner-reduction")
        apply_patterns(op, patterns, context)
        return []
