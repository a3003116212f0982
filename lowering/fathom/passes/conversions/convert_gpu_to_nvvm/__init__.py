"""`convert-gpu-to-nvvm`: kernels in a GPU module to the LLVM dialect, with what NVIDIA's GPUs add to it.

    gpu.func @f() kernel { %0 = gpu.thread_id x … }
  ->
    llvm.func @f() attributes {gpu.kernel, nvvm.kernel} { %0 = nvvm.read.ptx.sreg.tid.x : i32 … }

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, STRING, UINT, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class ConvertGpuOpsToNVVMOps(Pass):
    """All dialects that have a way to the LLVM dialect go it in the same conversion, or those of `allowed-dialects`;
    mathematical functions are called from NVIDIA's device library."""

    name = "convert-gpu-to-nvvm"
    summary = "lowers kernels for NVIDIA's GPUs"
    anchor = "gpu.module"
    shows_locations = True

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)
    has_redux: bool = option(False, "the GPU can combine the values of a subgroup", BOOL)
    use_bare_ptr_memref_call_conv: bool = option(
        False, "pass memrefs as pointers to their elements, without sizes and strides", BOOL
    )
    allow_pattern_rollback: bool = option(True, "whether a pattern may be undone; an experiment of mlir-opt", BOOL)
    allowed_dialects: tuple[str, ...] = option((), "convert these dialects only", list_of(STRING))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import Diagnostic
        from fathom.passes.conversions.convert_gpu_to_nvvm import operations
        from fathom.passes.gpu_to_llvm.modules import patterns_of_dialects, request_wrappers, rewrite_first
        from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter

        request_wrappers(op)
        types = type_converter(
            self.index_bitwidth,
            op,
            by_layout=True,
            use_bare_ptr_memref_call_conv=self.use_bare_ptr_memref_call_conv,
        )
        rewrite_first(op, operations.FIRST, context)
        operations.convert_types(types)
        target = llvm_target()
        patterns = operations.patterns(types, benefit=10)
        others = patterns_of_dialects(op, types, target, self.allowed_dialects, without=("math",))
        if isinstance(others, Diagnostic):
            return [others]
        patterns += others + operations.matrix_patterns(types)
        if self.has_redux:
            patterns += operations.reductions(types)
        operations.require(target)
        return convert_to_llvm(op, target, patterns, types, context, may_undo=self.allow_pattern_rollback)
