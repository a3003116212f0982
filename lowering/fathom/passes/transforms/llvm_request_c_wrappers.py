"""`llvm-request-c-wrappers`: asks for functions that C code can call, or that call C code, beside all functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import UNIT
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LLVMRequestCWrappersPass(Pass):
    """The function has the attribute `llvm.emit_c_interface`, which `convert-func-to-llvm` looks at."""

    name = "llvm-request-c-wrappers"
    summary = "asks for a wrapper that C can call, for each function"
    anchor = "func.func"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        op.attributes["llvm.emit_c_interface"] = UNIT
        return []
