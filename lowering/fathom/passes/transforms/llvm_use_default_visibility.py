"""`llvm-use-default-visibility`: what has the default visibility gets another, as compilers do by `-fvisibility`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LLVMUseDefaultVisibilityPass(Pass):
    """Functions, globals, aliases and functions that are chosen at load time."""

    name = "llvm-use-default-visibility"
    summary = "gives what has the default visibility another"
    anchor = MODULE

    visibility: str = option(
        "", "what takes the place of the default", one_of({"hidden": "Hidden", "protected": "Protected"})
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.dialects.llvm.attributes import cases
        from fathom.ir.attributes import i64_attr
        from fathom.ops.llvm import FuncOp, MlirAliasOp, MlirGlobalOp, MlirIfuncOp

        if not self.visibility:
            return []
        wanted = i64_attr(cases("Visibility")[self.visibility])
        for each in op.walk():
            if isinstance(each, (FuncOp, MlirAliasOp, MlirGlobalOp, MlirIfuncOp)) and each.visibility_.value == 0:
                each.properties["visibility_"] = wanted
        return []
