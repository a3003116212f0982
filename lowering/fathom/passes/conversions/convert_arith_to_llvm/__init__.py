"""`convert-arith-to-llvm`: arithmetic to the LLVM dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.options import UINT, option
from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class ArithToLLVMConversionPass(DialectToLLVM):
    """Converts all that can be; an operation that cannot (on tensors, or 8-bit floats) stays, with a warning."""

    name = "convert-arith-to-llvm"
    summary = "lowers arith to the LLVM dialect"
    by_function = True
    removes = ("arith",)

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.convert_arith_to_llvm.operations import patterns

        return patterns(types)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        return self.lower(op, context, self.index_bitwidth)
