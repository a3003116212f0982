"""`ensure-debug-info-scope-on-llvm-func`: functions get what a debugger needs to find lines in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

KINDS: Final = {
    "None": "nothing",
    "Full": "all that is known",
    "LineTablesOnly": "lines",
    "DebugDirectivesOnly": "lines, for an assembler to look up",
}


@record
class DIScopeForLLVMFuncOpPass(Pass):
    """Each function of the LLVM dialect is a function of the source, in the compile unit that the module's location
    names or in a new one. Its lines are those of MLIR's locations; what came from another file, or was inlined, gets a
    scope of its own there."""

    name = "ensure-debug-info-scope-on-llvm-func"
    summary = "gives functions of the LLVM dialect a scope for debuggers"
    anchor = MODULE
    shows_locations = True

    emission_kind: str = option("LineTablesOnly", "what a new compile unit asks for", one_of(KINDS))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.debug_info.scopes import ensure_scopes
        from fathom.dialects.llvm.attributes import cases

        ensure_scopes(op, cases("DIEmissionKind")[self.emission_kind])
        return []
