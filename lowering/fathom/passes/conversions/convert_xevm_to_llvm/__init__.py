"""`convert-xevm-to-llvm`: operations of Intel's GPUs to calls of OpenCL's functions.

    %0 = xevm.local_id.x : i32
->
    %1 = llvm.mlir.constant(0 : i32) : i32
    %0 = llvm.call spir_funccc @_Z12get_local_idj(%1) …

Source of the rules: *'xevm' Dialect*; the behaviour of mlir-opt 22.
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
class ConvertXeVMToLLVMPass(Pass):
    """An operation that OpenCL has no function for is an error. Accesses of the LLVM dialect that say how they are
    cached (`cache_control`) say it as SPIR-V does."""

    name = "convert-xevm-to-llvm"
    summary = "lowers xevm to calls of OpenCL's functions"
    removes = ("xevm",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_xevm_to_llvm.operations import PATTERNS, restrict
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        return apply_partial_conversion(op, restrict(ConversionTarget()), PATTERNS, context)
