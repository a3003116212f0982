"""`convert-func-to-llvm`: functions, calls and returns to the LLVM dialect.

    func.func @f(%m: memref<?xf32>) -> (i32, f32)
  ->
    llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64) -> !llvm.struct<(i32, f32)>

Source of the rules: *LLVM IR Target*, "Calling Conventions"; the order of the operations is that of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import StringAttr
from fathom.ir.operation import MODULE
from fathom.passes.options import BOOL, UINT, option
from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class ConvertFuncToLLVMPass(DialectToLLVM):
    """A function or call that stays is reported at its span, with the type that has no conversion."""

    name = "convert-func-to-llvm"
    summary = "lowers functions, calls and returns to the LLVM dialect"
    by_function = True
    anchor = MODULE
    removes = ("func",)

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)
    use_bare_ptr_memref_call_conv: bool = option(
        False, "pass memrefs as pointers to their elements, without sizes and strides", BOOL
    )

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.convert_func_to_llvm.calls import bare_functions, call_of
        from fathom.passes.conversions.convert_func_to_llvm.lowerings import LOWERINGS
        from fathom.passes.to_llvm.patterns import patterns

        return patterns({**LOWERINGS, "func.call": call_of(bare_functions(root))}, types)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.to_llvm.conversion import lower_to_llvm, type_converter

        layout = op.attributes.get("llvm.data_layout")
        types = type_converter(
            self.index_bitwidth,
            op,
            by_layout=True,
            data_layout=layout.value if isinstance(layout, StringAttr) else "",
            use_bare_ptr_memref_call_conv=self.use_bare_ptr_memref_call_conv,
        )
        return lower_to_llvm(self, op, self.patterns(types, op), types, context)
