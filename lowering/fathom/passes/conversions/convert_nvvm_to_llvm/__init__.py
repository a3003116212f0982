"""`convert-nvvm-to-llvm`: operations of nvvm that LLVM has no intrinsic for, to assembly of NVIDIA's GPUs.

    nvvm.mbarrier.init %barrier, %count, predicate = %p : !llvm.ptr<3>, i32, i1
->
    llvm.inline_asm has_side_effects asm_dialect = att "@$2 mbarrier.init.shared.b64 [$0], $1;", "r,r,b" …

Source of the rules: *'nvvm' Dialect*; the behaviour of mlir-opt 22.
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
class ConvertNVVMToLLVMPass(Pass):
    """All other operations of nvvm stay: the translation to LLVM IR knows them. What an operation gives or changes is
    in registers of 1, 16, 32 or 64 bits; of others an error is told, and it stays."""

    name = "convert-nvvm-to-llvm"
    summary = "lowers operations of nvvm that have no intrinsic in LLVM to inline assembly"

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_nvvm_to_llvm.assembly import lowerings
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.target import ConversionTarget

        return apply_partial_conversion(op, ConversionTarget().legal("llvm"), lowerings(op), context)
