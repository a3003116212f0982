"""`set-llvm-module-datalayout`: says in a module for which data layout it is to be lowered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import StringAttr
from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import STRING, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SetLLVMModuleDataLayoutPass(Pass):
    """The module has the data layout as its attribute `llvm.data_layout`, in place of any that it had. A text that is
    no data layout is an error."""

    name = "set-llvm-module-datalayout"
    summary = "writes a data layout on the module"
    anchor = MODULE

    data_layout: str = option("", "the data layout, as LLVM writes it", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import LOWERING, Diagnostic
        from fathom.dialects.llvm.data_layout import layout_problem

        problem = layout_problem(self.data_layout)
        if problem is not None:
            return [Diagnostic(problem, op.span, code=LOWERING, op=op)]
        op.attributes["llvm.data_layout"] = StringAttr(self.data_layout)
        return []
