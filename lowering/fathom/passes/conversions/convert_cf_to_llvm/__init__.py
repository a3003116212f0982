"""`convert-cf-to-llvm`: branches between blocks, and assertions, to the LLVM dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
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
class ConvertControlFlowToLLVMPass(DialectToLLVM):
    """Removes every operation of the `cf` dialect; a branch that passes a value without LLVM type is an error."""

    name = "convert-cf-to-llvm"
    summary = "lowers cf to the LLVM dialect"
    by_function = True
    anchor = MODULE
    removes = ("cf",)

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.convert_cf_to_llvm.branches import patterns

        return patterns(types)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.remarks import advice
        from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter

        target = llvm_target().illegal("cf").others(True)
        types = type_converter(self.index_bitwidth, op)
        return convert_to_llvm(op, target, self.patterns(types, op), types, context, advice)
