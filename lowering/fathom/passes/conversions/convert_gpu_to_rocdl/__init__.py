"""`convert-gpu-to-rocdl`: kernels in a GPU module to the LLVM dialect, with what AMD's GPUs add to it.

    gpu.func @f() kernel { %0 = gpu.thread_id x … }
  ->
    llvm.func @f() attributes {gpu.kernel, rocdl.kernel} { %0 = rocdl.workitem.id.x : i32 … }

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, STRING, UINT, list_of, one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertGpuOpsToROCDLOps(Pass):
    """All dialects that have a way to the LLVM dialect go it in the same conversion, or those of `allowed-dialects`;
    mathematical functions that the GPUs have no instruction for are called from AMD's device library."""

    name = "convert-gpu-to-rocdl"
    summary = "lowers kernels for AMD's GPUs"
    anchor = "gpu.module"
    shows_locations = True

    chipset: str = option("gfx000", "the GPU that the kernels are for", STRING)
    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)
    use_bare_ptr_memref_call_conv: bool = option(
        False, "pass memrefs as pointers to their elements, without sizes and strides", BOOL
    )
    runtime: str = option(
        "unknown",
        "the library that runs the kernels, and by which they print",
        one_of({"unknown": "Unknown (default)", "HIP": "HIP", "OpenCL": "OpenCL"}),
    )
    allowed_dialects: tuple[str, ...] = option((), "convert these dialects only", list_of(STRING))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_gpu_to_rocdl.conversion import convert

        return convert(self, op, context)
