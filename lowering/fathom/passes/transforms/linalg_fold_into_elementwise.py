"""`linalg-fold-into-elementwise`: `linalg.elementwise` reads what is transposed before through a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LinalgFoldIntoElementwisePass(Pass):
    """The transpose stays if something else uses it."""

    name = "linalg-fold-into-elementwise"
    summary = "folds transposes into linalg.elementwise"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.naming import FOLDING
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, FOLDING, context)
        return []
