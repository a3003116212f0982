"""`convert-math-to-llvm`: mathematical functions to the intrinsics of the LLVM dialect."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fathom.passes.options import BOOL, option
from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class ConvertMathToLLVMPass(DialectToLLVM):
    """Converts what LLVM has an intrinsic for, or is computed with one; what it has none for (`math.erf`), and what is
    on tensors or 8-bit floats, stays, with a warning."""

    name = "convert-math-to-llvm"
    summary = "lowers math to LLVM's intrinsics"
    by_function = True
    removes = ("math",)
    elsewhere = MappingProxyType(
        {
            **dict.fromkeys(("math.acosh", "math.asinh", "math.atanh"), "--math-expand-ops or --convert-math-to-libm"),
            **dict.fromkeys(("math.cbrt", "math.erf", "math.erfc"), "--convert-math-to-libm"),
            "math.clampf": "--math-expand-ops",
            "math.ipowi": "--convert-math-to-funcs",
        }
    )

    approximate_log1p: bool = option(True, "compute log1p(x) as log(1 + x), which is less exact", BOOL)

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.convert_math_to_llvm.operations import patterns

        return patterns(types, approximate_log1p=self.approximate_log1p)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        return self.lower(op, context)
