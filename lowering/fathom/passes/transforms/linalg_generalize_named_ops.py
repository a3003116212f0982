"""`linalg-generalize-named-ops`: `linalg.matmul` and its like as `linalg.generic`, with their maps and bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LinalgGeneralizeNamedOpsPass(Pass):
    """All structured operations, also such as `linalg.map` and `linalg.reduce`."""

    name = "linalg-generalize-named-ops"
    summary = "turns named operations into linalg.generic"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.naming import GENERALIZATION
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, GENERALIZATION, context)
        return []
