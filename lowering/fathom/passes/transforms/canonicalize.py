"""`canonicalize`: folds operations, applies the canonicalisation patterns of their dialects, and simplifies regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, LONG, STRING, list_of, one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held


@record
class Canonicalizer(Pass):
    """Does what the patterns that there are can do; a pattern that Fathom does not have yet leaves its operation as it
    was. Constants are made unique, and stand at the start of the outermost region that sees all their users."""

    name = "canonicalize"
    summary = "simplifies operations and brings them into one form"

    disable_patterns: tuple[str, ...] = option((), "the patterns, by their names, that are left out", list_of(STRING))
    enable_patterns: tuple[str, ...] = option(
        (),
        "the only patterns, by their names, that are tried",
        list_of(STRING),
    )
    max_iterations: int = option(10, "how often patterns and regions take turns, at most", LONG)
    max_num_rewrites: int = option(-1, "how many rewrites a turn may have; -1 for no limit", LONG)
    region_simplify: str = option(
        "normal",
        "what is done about blocks",
        one_of(
            {
                "disabled": "nothing",
                "normal": "what is never reached or used goes",
                "aggressive": "blocks that do the same become one, too",
            }
        ),
    )
    test_convergence: bool = option(False, "fail where it does not come to an end; for tests", BOOL)
    top_down: bool = option(True, "begin with the first operations, not with the last", BOOL)

    @classmethod
    def is_for(cls, held: Held) -> bool:
        """Whether there are blocks that nothing leads to; what patterns could do is for those who ask for it."""
        from fathom.ir.traversal import unreachable_blocks

        regions = (region for ops in held.values() for op in ops for region in op.regions)
        return any(map(unreachable_blocks, regions))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic
        from fathom.rewriting.canonicalization import CanonicalizationPatterns, dialects_in
        from fathom.rewriting.greedy_driver import GreedyConfig, apply_greedily

        disabled, enabled = frozenset(self.disable_patterns), frozenset(self.enable_patterns)
        patterns = CanonicalizationPatterns(context, disabled, enabled, dialects_in(op))
        level = cast("Literal['disabled', 'normal', 'aggressive']", self.region_simplify)
        config = GreedyConfig(self.top_down, level, self.max_iterations, self.max_num_rewrites)
        converged = apply_greedily(op, patterns.of, context, config)
        if self.test_convergence and not converged:
            return [Diagnostic("canonicalize did not converge", op.span, code=PIPELINE)]
        return []
