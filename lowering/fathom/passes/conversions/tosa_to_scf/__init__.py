"""`tosa-to-scf`: tosa's conditionals, loops and scattered writes, as control flow of scf.

    %0 = tosa.cond_if %c (%x = %t) : tensor<i1> (tensor<f32>) -> tensor<f32> { … tosa.yield %1 } else { … }
->
    %extracted = tensor.extract %c[] : tensor<i1>
    %0 = scf.if %extracted -> (tensor<f32>) { … scf.yield %1 } else { … }
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
class TosaToSCFPass(Pass):
    """What stands in the regions stays; only where they end is another operation."""

    name = "tosa-to-scf"
    summary = "lowers tosa's conditionals, loops and scattered writes to scf"
    handles = ("tosa.cond_if", "tosa.scatter", "tosa.while_loop")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.tosa_to_scf.control import PATTERNS
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().illegal(*self.handles).legal("tensor", "scf").others(True)
        return apply_partial_conversion(op, target, PATTERNS, context)
