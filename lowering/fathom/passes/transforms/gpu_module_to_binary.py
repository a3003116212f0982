"""`gpu-module-to-binary`: GPU modules are compiled for their targets.

gpu.module @m [#nvvm.target] { llvm.func @f() … }  ->  gpu.binary @m [#gpu.object<#nvvm.target, assembly = "…">]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import TranslatingPass
from fathom.passes.options import STRING, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Translate


@record
class GpuModuleToBinaryPass(TranslatingPass):
    """To bitcode of LLVM with `format=llvm`, and to assembly with `format=isa`, for NVIDIA's and AMD's GPUs. For
    anything else mlir-opt calls tools of theirs, which are not called here: that is an error."""

    name = "gpu-module-to-binary"
    summary = "compiles GPU modules for their targets"

    toolkit: str = option("", "where tools of the GPU's maker are, which are not called here", STRING)
    files: tuple[str, ...] = option((), "further files of bitcode to link", list_of(STRING), name="l")
    opts: str = option("", "options for the tools, which are not called here", STRING)
    format: str = option("fatbin", "what is made: llvm or offloading, isa or assembly, bin or binary, fatbin", STRING)
    section: str = option("", "the section of an ELF file in which it is to stand", STRING)

    def run_with(self, op: Operation, context: Context, translate: Translate) -> list[Diagnostic]:
        from fathom.passes.gpu_binaries import Serializing

        return Serializing(self, context, translate).run(op)
