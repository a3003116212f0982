"""`scf-for-loop-canonicalization`: what the bounds of loops say of what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SCFForLoopCanonicalization(Pass):
    """An `affine.min` or `affine.max` that is always one of its values is that; the size of a tensor that a loop
    carries is that of the tensor from outside."""

    name = "scf-for-loop-canonicalization"
    summary = "simplifies minima, maxima and sizes in loops"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.loops import extrema, sizes
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, [*extrema.PATTERNS, *sizes.PATTERNS], context)
        return []
