"""`convert-scf-to-cf`: structured control flow to branches between blocks.

Loops over several dimensions first become nested `scf.for` (`parallel`); the rest becomes blocks (`control_flow`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

ILLEGAL: Final = (
    "scf.forall",
    "scf.for",
    "scf.if",
    "scf.index_switch",
    "scf.parallel",
    "scf.while",
    "scf.execute_region",
)


@record
class SCFToControlFlowPass(Pass):
    """Removes every operation of the `scf` dialect that has a region. `scf.forall` with shared outputs is an error."""

    name = "convert-scf-to-cf"
    summary = "turns loops and conditions of scf into blocks and branches"
    by_function = True
    removes = ("scf",)

    allow_pattern_rollback: bool = option(True, "whether a pattern may be undone; an experiment of mlir-opt", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_scf_to_cf import control_flow, parallel
        from fathom.passes.remarks import advice
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().illegal(*ILLEGAL).others(True)
        patterns = [*control_flow.PATTERNS, *parallel.PATTERNS]
        may_undo = self.allow_pattern_rollback
        return apply_partial_conversion(op, target, patterns, context, advice, may_undo=may_undo)
