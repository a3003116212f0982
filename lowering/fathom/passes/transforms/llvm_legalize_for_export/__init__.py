"""`llvm-legalize-for-export`: brings the LLVM dialect into the form that LLVM IR can be made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LLVMLegalizeForExportPass(Pass):
    """A branch to one block with different values, which a `phi` cannot tell apart, goes by blocks of its own; several
    fragments of a debug expression become one."""

    name = "llvm-legalize-for-export"
    summary = "makes a module of the LLVM dialect ready for translation"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.llvm_legalize_for_export.debug_expressions import merge_fragments
        from fathom.passes.transforms.llvm_legalize_for_export.successors import make_successors_distinct

        make_successors_distinct(op, context)
        merge_fragments(op)
        return []
