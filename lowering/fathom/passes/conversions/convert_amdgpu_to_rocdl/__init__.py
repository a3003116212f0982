"""`convert-amdgpu-to-rocdl`: what AMD's GPUs can do, to the instructions that one of them has.

    %d = amdgpu.mfma 32x32x2 %a * %b + %c blgp = none : f32, f32, vector<16xf32>
->
    %d = rocdl.mfma.f32.32x32x2f32 %a, %b, %c, %0, %0, %0 : …

Source of the rules: *'amdgpu' Dialect*; the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import STRING, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class ConvertAMDGPUToROCDLPass(Pass):
    """What the chipset has no instruction for is an error. Memrefs become descriptors; buffers in the address spaces of
    the dialect are pointers into spaces 7 to 9."""

    name = "convert-amdgpu-to-rocdl"
    summary = "lowers amdgpu to rocdl and the LLVM dialect"
    removes = ("amdgpu",)

    chipset: str = option("gfx000", "the GPU that is to run it", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import LOWERING, Diagnostic
        from fathom.passes.gpu_to_llvm.chipsets import Chipset
        from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter

        chipset = Chipset.read(self.chipset)
        if chipset is None:
            return [Diagnostic(f"Invalid chipset name: {self.chipset}", None, code=LOWERING, unplaced=True)]
        types = type_converter(0, op)
        given = patterns(types, chipset)
        return convert_to_llvm(op, llvm_target().legal("rocdl").illegal("amdgpu"), given, types, context)


def patterns(types: LLVMTypeConverter, chipset: Chipset) -> list[Pattern]:
    """Those for a chipset. The converter learns the types and memory spaces of amdgpu, and those of gpu."""
    from fathom.passes.conversions.convert_amdgpu_to_rocdl.holdings import add_types
    from fathom.passes.conversions.convert_amdgpu_to_rocdl.operations import lowerings

    add_types(types)
    return lowerings(types, chipset)
