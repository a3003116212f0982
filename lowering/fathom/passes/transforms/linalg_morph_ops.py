"""`linalg-morph-ops`: structured operations in another form: named, of a category, or generic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.rewriting.pattern import Pattern


@record
class LinalgMorphOpsPass(Pass):
    """Options say from which form to which. Without any, operations stay as they are, but for what folds."""

    name = "linalg-morph-ops"
    summary = "changes the form of structured operations"

    category_to_generic: bool = option(False, "`linalg.elementwise` becomes `linalg.generic`", BOOL)
    generic_to_named: bool = option(False, "`linalg.generic` becomes `linalg.add` and its like", BOOL)
    named_to_category: bool = option(False, "`linalg.add` and its like become `linalg.elementwise`", BOOL)
    named_to_generic: bool = option(False, "`linalg.add` and its like become `linalg.generic`", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.naming import CATEGORIES, GENERALIZATION
        from fathom.passes.structured.specialization import PATTERNS
        from fathom.rewriting.greedy_driver import apply_patterns

        patterns: list[Pattern] = []
        if self.named_to_category:
            patterns += CATEGORIES
        if self.named_to_generic or self.category_to_generic:
            patterns += GENERALIZATION
        if self.generic_to_named:
            patterns += PATTERNS
        apply_patterns(op, patterns, context)
        return []
