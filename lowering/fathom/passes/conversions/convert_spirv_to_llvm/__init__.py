"""`convert-spirv-to-llvm`: SPIR-V to the LLVM dialect.

    spirv.func @f(%x: f32, %p: !spirv.ptr<f32, Function>) "None" {
      %0 = spirv.FAdd %x, %x : f32
      spirv.Store "Function" %p, %0 : f32
  ->
    llvm.func @f(%x: f32, %p: !llvm.ptr) {
      %0 = llvm.fadd %x, %x : f32
      llvm.store %0, %p : f32, !llvm.ptr

Source of the rules: *SPIR-V Dialect to LLVM Dialect conversion manual*, and mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

CLIENTS: Final = one_of(
    {"Unknown": "Unknown (default)", **{name: name for name in "Metal OpenCL Vulkan WebGPU".split()}}
)


@record
class ConvertSPIRVToLLVMPass(Pass):
    """Modules of SPIR-V become modules, and what has no counterpart in the LLVM dialect is an error. The numbers that
    bind a variable to a resource go into its name. For OpenCL storage classes are address spaces; for other clients
    they are not known."""

    name = "convert-spirv-to-llvm"
    summary = "lowers SPIR-V to the LLVM dialect"
    anchor = MODULE
    removes = ("spirv",)

    client_api: str = option("Unknown", "whose address spaces storage classes are", CLIENTS)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import LOWERING, Diagnostic
        from fathom.passes.conversions.convert_spirv_to_llvm.bindings import encode_bindings
        from fathom.passes.conversions.convert_spirv_to_llvm.operations import patterns
        from fathom.passes.conversions.convert_spirv_to_llvm.types import spirv_types
        from fathom.passes.remarks import advice
        from fathom.passes.to_llvm.conversion import convert_to_llvm, type_converter
        from fathom.rewriting.target import ConversionTarget

        said = encode_bindings(op)
        types = type_converter(0, op)
        types.conversions.append(spirv_types(types, self.client_api))
        if self.client_api not in ("OpenCL", "Unknown"):
            message = f"address space mapping for client '{self.client_api}' not implemented"
            said.append(Diagnostic(message, op.span, "warning", LOWERING, op=op))
        target = ConversionTarget().legal("llvm", "builtin.module").illegal("spirv")
        return said + convert_to_llvm(op, target, patterns(types, self.client_api), types, context, advice)
