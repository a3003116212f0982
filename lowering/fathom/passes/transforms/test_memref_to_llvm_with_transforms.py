"""`test-memref-to-llvm-with-transforms`: functions to the LLVM dialect, and views of memory as buffers, in one
conversion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TestMemRefToLLVMWithTransforms(Pass):
    """What `expand-strided-metadata` does to views, and `convert-func-to-llvm` to functions."""

    name = "test-memref-to-llvm-with-transforms"
    summary = "lowers functions to the LLVM dialect and writes views of memory as buffers, for tests"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_func_to_llvm import ConvertFuncToLLVMPass
        from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter
        from fathom.passes.transforms.expand_strided_metadata.extraction import PATTERNS as EXTRACTION
        from fathom.passes.transforms.expand_strided_metadata.views import PATTERNS as VIEWS

        types = type_converter(0, op)
        patterns = [*VIEWS, *EXTRACTION, *ConvertFuncToLLVMPass().patterns(types, op)]
        return convert_to_llvm(op, llvm_target(), patterns, types, context)
