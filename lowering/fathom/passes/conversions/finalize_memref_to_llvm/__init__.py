"""`finalize-memref-to-llvm`: memref operations to descriptors, pointers, loads and stores.

    %0 = memref.load %m[%i] : memref<?xf32>
->
    %p = llvm.extractvalue %m[1]
    %q = llvm.getelementptr inbounds|nuw %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %0 = llvm.load %q : !llvm.ptr -> f32

`memref.subview`, `expand_shape`, `collapse_shape` and `realloc` are left, as by mlir-opt:
`--expand-strided-metadata` and `--expand-realloc` rewrite them to what this pass knows.
Source of the rules: *LLVM IR Target*, "Ranked MemRef Types" and after; *'memref' Dialect*; the order of the operations
and their flags are those of mlir-opt 22.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.options import BOOL, UINT, option
from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class FinalizeMemRefToLLVMConversionPass(DialectToLLVM):
    """An operation of the dialect that stays is reported at its span, with the cause and the cure."""

    name = "finalize-memref-to-llvm"
    summary = "lowers memref to the LLVM dialect: descriptors, addresses, calls that allocate"
    by_function = True
    anchor = MODULE
    removes = ("memref",)
    elsewhere = MappingProxyType(
        {
            "memref.subview": "--expand-strided-metadata",
            "memref.expand_shape": "--expand-strided-metadata",
            "memref.collapse_shape": "--expand-strided-metadata",
            "memref.realloc": "--expand-realloc",
            "memref.dma_start": "the lowering of the target that has a DMA engine",
            "memref.dma_wait": "the lowering of the target that has a DMA engine",
        }
    )

    use_aligned_alloc: bool = option(False, "call aligned_alloc instead of malloc", BOOL)
    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)
    use_generic_functions: bool = option(
        False,
        "call functions of MLIR's own names to allocate and free",
        BOOL,
    )

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        from fathom.passes.conversions.finalize_memref_to_llvm.lowerings import lowerings
        from fathom.passes.to_llvm.patterns import patterns

        return patterns(lowerings(types.options), types)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.to_llvm.conversion import llvm_target, lower_to_llvm, type_converter

        types = type_converter(
            self.index_bitwidth,
            op,
            by_layout=True,
            use_aligned_alloc=self.use_aligned_alloc,
            use_generic_functions=self.use_generic_functions,
        )
        return lower_to_llvm(self, op, self.patterns(types, op), types, context, llvm_target().legal("func.func"))
