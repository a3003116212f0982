"""`convert-nvgpu-to-nvvm`: what threads of NVIDIA's GPUs do together, to the operations of one thread.

    %b = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
->
    memref.global "private" @__mbarrier : memref<1xi64, 3> {alignment = 8 : i64}
    %b = memref.get_global @__mbarrier : memref<1xi64, 3>

Source of the rules: *'nvgpu' Dialect*; the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertNVGPUToNVVMPass(Pass):
    """Memrefs become descriptors, and barriers, descriptors of tensors and accumulators what a thread holds of them.
    Loops and conditions of scf give the converted types. Products of `f32` are converted if they say `tf32Enabled`."""

    name = "convert-nvgpu-to-nvvm"
    summary = "lowers nvgpu to nvvm and the LLVM dialect"
    removes = ("nvgpu",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_nvgpu_to_nvvm.holdings import add_types
        from fathom.passes.conversions.convert_nvgpu_to_nvvm.operations import LOWERINGS
        from fathom.passes.loops import structural_types
        from fathom.passes.to_llvm.conversion import llvm_target, lower_to_llvm, type_converter
        from fathom.passes.to_llvm.patterns import patterns

        types = type_converter(0, op)
        add_types(types)
        target = llvm_target().legal("arith", "memref", "nvvm")
        structural_types.allow(types, target)
        return lower_to_llvm(
            self, op, [*patterns(LOWERINGS, types), *structural_types.patterns(types)], types, context, target
        )
