"""`convert-scf-to-cf`: structured control flow to branches between blocks.

Loops over several dimensions first become nested `scf.for` (`parallel`); the rest becomes blocks (`control_flow`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.convert_scf_to_cf import control_flow, parallel
from fathom.rewriting.conversion_driver import apply_partial_conversion
from fathom.rewriting.target import ConversionTarget

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


def run(root: Operation, options: Mapping[str, str], context: Context) -> list[Diagnostic]:
    """Removes every operation of the `scf` dialect that has a region. `scf.forall` with shared outputs is an error."""
    from fathom.passes import advice

    target = ConversionTarget().illegal(*ILLEGAL).others(True)
    patterns = [*control_flow.PATTERNS, *parallel.PATTERNS]
    return apply_partial_conversion(root, target, patterns, context, advice)
