"""`convert-index-to-llvm`: arithmetic on indices to the LLVM dialect."""

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
class ConvertIndexToLLVMPass(DialectToLLVM):
    """Removes every operation of the `index` dialect; an index is an integer of the width that the option says."""

    name = "convert-index-to-llvm"
    summary = "lowers index to the LLVM dialect"
    by_function = True
    removes = ("index",)

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.convert_index_to_llvm.operations import patterns

        return patterns(types)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.remarks import advice
        from fathom.passes.to_llvm.conversion import convert_to_llvm, type_converter
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("llvm").illegal("index")
        types = type_converter(self.index_bitwidth, op)
        return convert_to_llvm(op, target, self.patterns(types, op), types, context, advice)
