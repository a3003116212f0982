"""`remove-dead-values`: what computes, passes on or returns what does not matter goes."""

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
class RemoveDeadValues(Pass):
    """A private function loses the arguments that it does not need, and the results that no caller needs; a block its
    arguments; an operation without an effect goes if none of its results matters. What goes into regions and comes out
    of them becomes poison first, and then goes where patterns of the operation know that nobody uses it."""

    name = "remove-dead-values"
    summary = "removes what does not matter, across blocks, regions and calls"

    canonicalize: bool = option(True, "apply the patterns of operations with regions afterwards", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.irdl.interfaces import RegionBranch
        from fathom.passes.transforms.remove_dead_values.cleaning import clean
        from fathom.passes.transforms.remove_dead_values.finding import find_dead
        from fathom.rewriting.canonicalization import CanonicalizationPatterns, dialects_in
        from fathom.rewriting.greedy_driver import apply_on

        clean(find_dead(op), context)
        if not self.canonicalize:
            return []
        branches = [inner for inner in op.walk_postorder() if inner.interface(RegionBranch) is not None]
        patterns = CanonicalizationPatterns(context, present=dialects_in(op))
        if not apply_on(branches, patterns.of, context):
            return [Diagnostic("greedy pattern rewrite failed to converge", op.span, code=PIPELINE)]
        return []
