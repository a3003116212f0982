"""`convert-ptr-to-llvm`: pointers in the generic memory space, and what of memrefs they are made of, to LLVM pointers.

    %q = ptr.ptr_add nuw %p, %n : !ptr.ptr<#ptr.generic_space>, i64
->
    %q = llvm.getelementptr nuw %p[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8

mlir-opt has no such pass, but the same patterns in `convert-to-llvm`. Source of the rules: *'ptr' Dialect*; the
behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class ConvertPtrToLLVMPass(DialectToLLVM):
    """What `convert-to-llvm` does with the dialect; mlir-opt has no pass that does this alone. Constants, differences,
    loads and stores are left."""

    name = "convert-ptr-to-llvm"
    summary = "lowers ptr to the LLVM dialect"
    removes = ("ptr",)

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.convert_ptr_to_llvm.metadata import add_types
        from fathom.passes.conversions.convert_ptr_to_llvm.operations import LOWERINGS
        from fathom.passes.to_llvm.patterns import patterns

        add_types(types)
        return patterns(LOWERINGS, types)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        return self.lower(op, context)
