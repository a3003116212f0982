"""`lower-host-to-llvm`: the program around kernels of SPIR-V to the LLVM dialect, with each launch as a call.

    gpu.launch_func @kernels::@f … args(%m : memref<6xi32>)
  ->
    %v = llvm.mlir.addressof @__spv__kernels_v_descriptor_set0_binding0 : !llvm.ptr
    llvm.intr.memcpy(%v, %elements, %size)
    llvm.call @__spv__kernels_f() : () -> ()
    llvm.intr.memcpy(%elements, %v, %size)

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

HOST: Final = ("convert-arith-to-llvm", "finalize-memref-to-llvm", "convert-func-to-llvm")


@record
class LowerHostCodeToLLVMPass(Pass):
    """What is of `arith`, `func` and `memref` is converted as the passes for these dialects do, and functions get
    wrappers for C. Modules of `gpu` go; those of SPIR-V stay, with the names by which their kernels are called."""

    name = "lower-host-to-llvm"
    summary = "lowers a program around kernels of SPIR-V to the LLVM dialect, and launches to calls"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ir.attributes import UNIT
        from fathom.ops.func import FuncOp
        from fathom.ops.gpu import ModuleOp
        from fathom.passes.conversions.convert_spirv_to_llvm.types import spirv_types
        from fathom.passes.conversions.lower_host_to_llvm.launches import name_kernels, patterns
        from fathom.passes.to_llvm.conversion import lower_to_llvm, type_converter
        from fathom.passes.to_llvm.interface import passes_for
        from fathom.rewriting.target import ConversionTarget

        for each in list(op.regions[0].operations()):
            if isinstance(each, ModuleOp):
                each.erase()
            elif isinstance(each, FuncOp):
                each.attributes["llvm.emit_c_interface"] = UNIT
        types = type_converter(0, op)
        types.conversions.append(spirv_types(types, "Unknown"))
        parts = passes_for(*HOST)
        rules = [pattern for part in parts for pattern in part.patterns(types, op)] + patterns(types)
        said = lower_to_llvm(self, op, rules, types, context, ConversionTarget().legal("llvm"), parts)
        return said + name_kernels(op)
