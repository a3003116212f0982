"""`linalg-fuse-elementwise-ops`: operations on tensors, element for element, that are computed where they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LinalgElementwiseOpFusionPass(Pass):
    """What only one other operation reads goes into that, so that no tensor is made of it. Reshapes in between are
    taken in by more loops; what is read or written for nothing goes."""

    name = "linalg-fuse-elementwise-ops"
    summary = "fuses element-wise operations on tensors"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured import constant_transposes, expansion, fusion, reshapes, tidying
        from fathom.passes.structured.generics import canonicalizing
        from fathom.rewriting.greedy_driver import GreedyConfig, apply_patterns

        patterns = [
            *fusion.PATTERNS,
            *tidying.KNOWN,
            *tidying.UNNEEDED,
            *expansion.EXPANSIONS,
            *reshapes.PADDING,
            *expansion.COLLAPSES,
            *reshapes.RESHAPES,
            *canonicalizing(context, "affine.apply", "linalg.generic", "tensor.expand_shape", "tensor.collapse_shape"),
            *canonicalizing(context, "linalg"),
            *constant_transposes.PATTERNS,
        ]
        apply_patterns(op, patterns, context, GreedyConfig(top_down=True))
        return []
