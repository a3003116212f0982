"""`linalg-inline-scalar-operands`: the bodies of `linalg.generic` read scalars themselves.

linalg.generic … ins(%t, %f : tensor<4xf32>, f32) …      ->      linalg.generic … ins(%t : tensor<4xf32>) …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LinalgInlineScalarOperandsPass(Pass):
    """An operand of which each iteration reads the same element is none afterwards; `tensor.extract` reads it
    of a tensor."""

    name = "linalg-inline-scalar-operands"
    summary = "takes scalars out of the operands of linalg.generic"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.scalars import PATTERNS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, PATTERNS, context)
        return []
