"""`convert-vector-to-llvm`: operations on vectors to the LLVM dialect.

    %0 = vector.extract %v[1, 2] : f32 from vector<2x4xf32>
->
    %1 = llvm.extractvalue %v[1] : !llvm.array<2 x vector<4xf32>>
    %2 = llvm.mlir.constant(2 : i64) : i64
    %0 = llvm.extractelement %1[%2 : i64] : vector<4xf32>

Before that, what LLVM has nothing for is taken apart: operations on several dimensions, masks, slices, transpositions
(`fathom.passes.vectors`). Source of the rules: *'vector' Dialect*; *LLVM IR Target*, "Vector Types".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fathom.passes.options import BOOL, one_of, option
from fathom.passes.to_llvm.interface import DialectToLLVM
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern

CONTRACTIONS: Final = {
    "dot": "Progressively lower to finer grained `vector.contract` and dot-products. (default)",
    "llvmintr": "Lower directly to `llvm.intr.matrix.multiply`.",
    "outerproduct": "Lower to `vector.outerproduct`.",
    "parallelarith": "Lower contract with all reduction dimensions unrolled to 1 to a vector elementwise operations.",
}

TRANSPOSES: Final = {
    "eltwise": "Lower transpose into element-wise extract and inserts (default)",
    "llvmintr": "Lower 2-D transpose directly to `llvm.intr.matrix.transpose`",
    "shuffle1d": "Lower 2-D transpose to `vector.shuffle` on 1-D vector.",
    "shuffle16x16": "Lower 2-D transpose to `vector.shuffle` on 16x16 vector.",
}


@record
class ConvertVectorToLLVMPass(DialectToLLVM):
    """What needs loops, as transfers of several dimensions do, is left: `convert-vector-to-scf` comes first."""

    name = "convert-vector-to-llvm"
    summary = "Lower the operations from the vector dialect into the LLVM dialect"
    removes = ("vector",)
    elsewhere = MappingProxyType(
        {
            "vector.multi_reduction": "--lower-vector-multi-reduction",
            "vector.transfer_read": "--convert-vector-to-scf",
            "vector.transfer_write": "--convert-vector-to-scf",
        }
    )
    handles = ("vector.transfer_read", "vector.transfer_write")

    reassociate_fp_reductions: bool = option(
        False, "Allows llvm to reassociate floating-point reductions for speed", BOOL
    )
    force_32bit_vector_indices: bool = option(
        True, "Allows compiler to assume vector indices fit in 32-bit if that yields faster code", BOOL
    )
    use_vector_alignment: bool = option(
        False,
        "Use the preferred alignment of a vector type in load/store operations instead of the alignment of the element "
        "type of the memref. This flag is intended for use with hardware which requiresvector alignment, or in "
        "application contexts where it is known all vector access are naturally aligned. If operations have an "
        "alignment attribute set, the alignment attribute takes priority over this option",
        BOOL,
    )
    enable_amx: bool = option(False, "Enables the use of AMX dialect while lowering the vector dialect.", BOOL)
    enable_arm_neon: bool = option(False, "Enables the use of ArmNeon dialect while lowering the vector dialect.", BOOL)
    enable_arm_sve: bool = option(False, "Enables the use of ArmSVE dialect while lowering the vector dialect.", BOOL)
    enable_arm_i8mm: bool = option(
        False, "Enables the use of Arm FEAT_I8MM instructions while lowering the vector dialect.", BOOL
    )
    enable_arm_bf16: bool = option(
        False, "Enables the use of Arm FEAT_BF16 instructions while lowering the vector dialect.", BOOL
    )
    enable_x86vector: bool = option(
        False, "Enables the use of X86Vector dialect while lowering the vector dialect.", BOOL
    )
    vector_contract_lowering: str = option(
        "dot", "control the lowering of `vector.contract` operations.", one_of(CONTRACTIONS)
    )
    vector_transpose_lowering: str = option(
        "eltwise", "control the lowering of `vector.transpose` operations.", one_of(TRANSPOSES)
    )

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        """Those of `convert-to-llvm`, for which indices may need all their bits."""
        from fathom.passes.conversions.convert_vector_to_llvm.lowerings import lowerings, scalable_mask
        from fathom.passes.to_llvm.lowering import patterns

        return [*patterns(lowerings(self), types), scalable_mask(narrow=False)]

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_vector_to_llvm.extensions import extend
        from fathom.passes.conversions.convert_vector_to_llvm.lowerings import scalable_mask
        from fathom.passes.conversions.convert_vector_to_llvm.rewrites import rewrites
        from fathom.passes.to_llvm.conversion import llvm_target, lower_to_llvm, type_converter
        from fathom.passes.vectors.transfers import transfers
        from fathom.rewriting.greedy_driver import GreedyConfig, apply_greedily
        from fathom.rewriting.pattern import sorted_by_root

        simpler = sorted_by_root(rewrites(self, context))
        apply_greedily(op, lambda name: simpler.get(name, ()), context, GreedyConfig())
        types = type_converter(0, op)
        mask = scalable_mask(narrow=self.force_32bit_vector_indices)
        target = llvm_target().legal("arith", "memref")
        found = [*transfers(None), mask, *self.patterns(types, op), *extend(self, types, target)]
        return lower_to_llvm(self, op, found, types, context, target)
