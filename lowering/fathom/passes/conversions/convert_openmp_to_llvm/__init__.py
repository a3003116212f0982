"""`convert-openmp-to-llvm`: operations of OpenMP with types of the LLVM dialect, and what they hold with them.

    omp.parallel { %0 = arith.addi %i, %i : index … }
  ->
    omp.parallel { %0 = llvm.add %i, %i : i64 … }

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

HELD: Final = ("convert-arith-to-llvm", "convert-cf-to-llvm", "finalize-memref-to-llvm", "convert-func-to-llvm")


@record
class ConvertOpenMPToLLVMPass(Pass):
    """Operations of `omp` stay, with converted operands, results, blocks and types that they name. What is of `arith`,
    `cf`, `func` and `memref` is converted as the passes for these dialects do without options."""

    name = "convert-openmp-to-llvm"
    summary = "gives operations of OpenMP types of the LLVM dialect, and lowers arith, cf, func and memref"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_openmp_to_llvm.retyping import extend
        from fathom.passes.to_llvm.conversion import llvm_target, lower_to_llvm, type_converter
        from fathom.passes.to_llvm.interface import passes_for

        target, types = llvm_target(), type_converter(0, op)
        parts = passes_for(*HELD)
        patterns = [pattern for part in parts for pattern in part.patterns(types, op)]
        patterns += extend(op, types, target)
        return lower_to_llvm(self, op, patterns, types, context, target, parts)
