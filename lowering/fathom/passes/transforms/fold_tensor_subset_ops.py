"""`fold-tensor-subset-ops`: reads and writes of parts of tensors as those of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class FoldTensorSubsetOpsPass(Pass):
    """Slices with steps, and transfers that leave the bounds or have a mask as an operand, stay."""

    name = "fold-tensor-subset-ops"
    summary = "folds slices of tensors into what reads and writes them"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.tensor_subsets import PATTERNS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, PATTERNS, context)
        return []
