"""`linalg-fold-unit-extent-dims`: dimensions of 1 go out of operations on tensors."""

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
class LinalgFoldUnitExtentDimsPass(Pass):
    """Of `linalg.generic`, `tensor.pad` and slices. What is around them sees the shapes that it saw."""

    name = "linalg-fold-unit-extent-dims"
    summary = "drops dimensions of 1 from operations on tensors"

    use_rank_reducing_slices: bool = option(False, "by slices of a smaller rank instead of reshapes", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes import result_dims
        from fathom.passes.structured import accumulators, units
        from fathom.passes.structured.generics import apply_once, canonicalizing, canonicalizing_with
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_once(op, context, units.Units(self.use_rank_reducing_slices).patterns())
        reshapes = [*units.SLICES, *canonicalizing(context, "tensor.collapse_shape", "tensor.expand_shape")]
        patterns = [
            *accumulators.PATTERNS,
            *(() if self.use_rank_reducing_slices else reshapes),
            *canonicalizing_with(context, "linalg", "FoldConcatsOfFill", "FoldFill", "FoldInsertPadIntoFill"),
            *canonicalizing_with(context, "tensor", "FoldEmptyTensor", "ReplaceEmptyTensor"),
            *result_dims.EMPTY,
            *result_dims.DIMS,
        ]
        apply_patterns(op, patterns, context)
        return []
