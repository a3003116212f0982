"""The pass `finalize-memref-to-llvm`: memref operations to descriptors, pointers, loads and stores.

    %0 = memref.load %m[%i] : memref<?xf32>
->
    %p = llvm.extractvalue %m[1]
    %q = llvm.getelementptr inbounds|nuw %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %0 = llvm.load %q : !llvm.ptr -> f32

`memref.subview`, `expand_shape`, `collapse_shape`, `realloc` and `generic_atomic_rmw` are left, as by mlir-opt:
`--expand-strided-metadata`, `--expand-realloc` and `--memref-expand` rewrite them to what this pass knows.
Source of the rules: *LLVM IR Target*, "Ranked MemRef Types" and after; *'memref' Dialect*; the order of the operations
and their flags are those of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.finalize_memref_to_llvm.access import ACCESSES
from fathom.passes.conversions.finalize_memref_to_llvm.allocation import aligned_alloc, alloc, alloca, dealloc
from fathom.passes.conversions.finalize_memref_to_llvm.casts import CASTS
from fathom.passes.conversions.finalize_memref_to_llvm.copies import copy
from fathom.passes.conversions.finalize_memref_to_llvm.globals import get_global, global_
from fathom.passes.conversions.finalize_memref_to_llvm.metadata import METADATA
from fathom.passes.conversions.finalize_memref_to_llvm.reshape import reshape
from fathom.passes.conversions.finalize_memref_to_llvm.scopes import alloca_scope
from fathom.passes.to_llvm.leftovers import report_leftovers
from fathom.passes.to_llvm.llvm_target import llvm_target, type_converter
from fathom.passes.to_llvm.lowering import Lowering, patterns
from fathom.rewriting.conversion_driver import apply_partial_conversion

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

LOWERINGS: Final[dict[str, Lowering]] = {
    "memref.alloca": alloca,
    "memref.alloca_scope": alloca_scope,
    "memref.copy": copy,
    "memref.dealloc": dealloc,
    "memref.get_global": get_global,
    "memref.global": global_,
    "memref.reshape": reshape,
    **ACCESSES,
    **CASTS,
    **METADATA,
}

ELSEWHERE: Final = {
    "memref.subview": "--expand-strided-metadata",
    "memref.expand_shape": "--expand-strided-metadata",
    "memref.collapse_shape": "--expand-strided-metadata",
    "memref.realloc": "--expand-realloc",
    "memref.generic_atomic_rmw": "--memref-expand",
    "memref.dma_start": "the lowering of the target that has a DMA engine",
    "memref.dma_wait": "the lowering of the target that has a DMA engine",
}
"""What rewrites the operations that this pass has no pattern for."""


def run(module: Operation, options: Mapping[str, str], context: Context) -> list[Diagnostic]:
    """Lowers in place. An operation of the dialect that stays is reported at its span, with the cause and the cure."""
    types = type_converter(options, module)
    target = llvm_target().legal("func.func")
    allocation = aligned_alloc if types.options.use_aligned_alloc else alloc
    rules = patterns({"memref.alloc": allocation, **LOWERINGS}, types)
    reasons: dict[Operation, str] = {}
    diagnostics = apply_partial_conversion(module, target, rules, context, reasons=reasons)
    return diagnostics + report_leftovers(module, "memref", "finalize-memref-to-llvm", types, ELSEWHERE, reasons)
