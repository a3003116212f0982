"""`math-expand-ops`: mathematical functions in terms of simpler ones.

    %0 = math.tan %x : f32
->
    %1 = math.sin %x : f32
    %2 = math.cos %x : f32
    %0 = arith.divf %1, %2 : f32
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import STRING, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class MathExpandOpsPass(Pass):
    """Expands all operations that there are expansions of, or only those that are named, as `sinh`."""

    name = "math-expand-ops"
    summary = "writes math as simpler arith and math"
    by_function = True
    handles = ("math.clampf",)

    ops: tuple[str, ...] = option((), "the operations that are expanded; all if none is named", list_of(STRING))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.math_expand_ops import bits, functions, powers, rounding
        from fathom.rewriting.greedy_driver import apply_patterns

        known = (*functions.PATTERNS, *powers.PATTERNS, *rounding.PATTERNS, *bits.PATTERNS)
        chosen = [pattern for pattern in known if not self.ops or pattern.root.removeprefix("math.") in self.ops]
        apply_patterns(op, chosen, context)
        return []
