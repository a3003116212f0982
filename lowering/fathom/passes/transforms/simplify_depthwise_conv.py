"""`simplify-depthwise-conv`: depthwise convolutions that give one channel for each, in one dimension less.

linalg.depthwise_conv_2d_nhwc_hwcm      ->      linalg.depthwise_conv_2d_nhwc_hwc
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
class SimplifyDepthwiseConvPass(Pass):
    """Kernel and output are collapsed before, and the result is expanded."""

    name = "simplify-depthwise-conv"
    summary = "drops a dimension of one of depthwise convolutions"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.structured.depthwise import PATTERNS
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, PATTERNS, context)
        return []
