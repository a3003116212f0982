"""`symbol-dce`: takes away the symbols that are private, or hidden, and that nothing refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SymbolDCE(Pass):
    """What is public stays, and all that it refers to; the rest of the symbols goes."""

    name = "symbol-dce"
    summary = "takes away symbols that nothing uses"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.dead_symbols import erase_dead_symbols

        return erase_dead_symbols(op)
