"""`gpu-to-llvm`: what a host does with GPUs becomes calls of a runtime library, and all around it the LLVM dialect.

    %t = gpu.wait async  ->  %s = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class GpuToLLVMConversionPass(Pass):
    """A token becomes a stream, or an event where it passes between operations of `async`; what is to run on a GPU has
    to be asynchronous, with one token that it waits for. Kernels, and launches of them with operands of the LLVM
    dialect, stay, for the translation to LLVM IR."""

    name = "gpu-to-llvm"
    summary = "lowers what a host does with GPUs to calls of a runtime library"
    anchor = MODULE

    host: bool = option(
        False,
        "pass memrefs to functions as pointers, without sizes and strides",
        BOOL,
        name="use-bare-pointers-for-host",
    )
    kernels: bool = option(
        False,
        "pass memrefs to kernels as pointers, as the kernels take them",
        BOOL,
        name="use-bare-pointers-for-kernels",
    )
    sizes: bool = option(
        False,
        "pass behind each memref its size in bytes, as Vulkan takes it",
        BOOL,
        name="intersperse-sizes-for-kernels",
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.gpu_to_llvm.conversion import convert

        return convert(self, op, context)
