"""`convert-complex-to-llvm`: complex numbers to structs of two floats.

    %0 = complex.re %z : complex<f32>   ->   %0 = llvm.extractvalue %z[0] : !llvm.struct<(f32, f32)>

Functions of complex numbers (`complex.sin`) are left: `convert-complex-to-standard` rewrites them to what this pass
knows. Source of the rules: *LLVM IR Target*, "Complex Type"; the order of the operations is that of mlir-opt 22.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fathom.passes.complex_division import BASIC, RANGE_HELP, complex_range
from fathom.passes.conversions.convert_complex_to_standard import FUNCTIONS
from fathom.passes.options import option
from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class ConvertComplexToLLVMPass(DialectToLLVM):
    """An operation of the dialect that stays is an error."""

    name = "convert-complex-to-llvm"
    summary = "lowers complex to structs of two floats in the LLVM dialect"
    by_function = True
    removes = ("complex",)
    elsewhere = MappingProxyType(dict.fromkeys(FUNCTIONS, "--convert-complex-to-standard"))

    complex_range: str = option(BASIC, RANGE_HELP, complex_range(BASIC))

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.convert_complex_to_llvm.operations import lowerings
        from fathom.passes.to_llvm.patterns import patterns

        return patterns(lowerings(self.complex_range), types)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.remarks import advice
        from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter

        types = type_converter(0, op)
        return convert_to_llvm(op, llvm_target().illegal("complex"), self.patterns(types, op), types, context, advice)
