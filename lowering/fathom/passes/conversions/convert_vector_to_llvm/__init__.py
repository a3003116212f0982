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
    "dot": "smaller contractions, and at last sums of products (default)",
    "llvmintr": "LLVM's product of matrices",
    "outerproduct": "outer products",
    "parallelarith": "element-wise products and sums, where each reduced dimension has one element",
}

TRANSPOSES: Final = {
    "eltwise": "an extraction and an insertion for each element (default)",
    "llvmintr": "LLVM's transposition of matrices, for two dimensions",
    "shuffle1d": "one shuffle of all elements, for two dimensions",
    "shuffle16x16": "several shuffles, for 16x16 elements",
}


@record
class ConvertVectorToLLVMPass(DialectToLLVM):
    """What needs loops, as transfers of several dimensions do, is left: `convert-vector-to-scf` comes first."""

    name = "convert-vector-to-llvm"
    summary = "lowers vector to the LLVM dialect"
    by_function = True
    removes = ("vector",)
    elsewhere = MappingProxyType(
        {
            "vector.multi_reduction": "--lower-vector-multi-reduction",
            "vector.scan": "--test-vector-scan-lowering",
            "vector.transfer_read": "--convert-vector-to-scf",
            "vector.transfer_write": "--convert-vector-to-scf",
        }
    )
    handles = ("vector.transfer_read", "vector.transfer_write")

    reassociate_fp_reductions: bool = option(False, "let LLVM add up floats in another order, which is faster", BOOL)
    force_32bit_vector_indices: bool = option(True, "compute masks with 32 bits, which is faster", BOOL)
    use_vector_alignment: bool = option(
        False,
        "align accesses as the vector asks for, and not as its elements do, where they do not say it",
        BOOL,
    )
    enable_amx: bool = option(False, "use the amx dialect", BOOL)
    enable_arm_neon: bool = option(False, "use the arm_neon dialect", BOOL)
    enable_arm_sve: bool = option(False, "use the arm_sve dialect", BOOL)
    enable_arm_i8mm: bool = option(False, "use Arm's instructions for products of i8", BOOL)
    enable_arm_bf16: bool = option(False, "use Arm's instructions for products of bf16", BOOL)
    enable_x86vector: bool = option(False, "use the x86vector dialect", BOOL)
    vector_contract_lowering: str = option("dot", "what becomes of vector.contract", one_of(CONTRACTIONS))
    vector_transpose_lowering: str = option("eltwise", "what becomes of vector.transpose", one_of(TRANSPOSES))

    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        """Those of `convert-to-llvm`, for which indices may need all their bits."""
        from fathom.passes.conversions.convert_vector_to_llvm.lowerings import lowerings, scalable_mask
        from fathom.passes.to_llvm.patterns import patterns

        return [*patterns(lowerings(self), types), scalable_mask(narrow=False)]

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_vector_to_llvm.extensions import extend
        from fathom.passes.conversions.convert_vector_to_llvm.lowerings import scalable_mask
        from fathom.passes.conversions.convert_vector_to_llvm.rewrites import rewrites
        from fathom.passes.to_llvm.conversion import llvm_target, lower_to_llvm, type_converter
        from fathom.passes.vectors.transfers import transfers
        from fathom.rewriting.greedy_driver import apply_patterns

        apply_patterns(op, rewrites(self, context), context)
        types = type_converter(0, op)
        mask = scalable_mask(narrow=self.force_32bit_vector_indices)
        target = llvm_target().legal("arith", "memref")
        chosen = [*transfers(None), mask, *self.patterns(types, op), *extend(self, types, target)]
        return lower_to_llvm(self, op, chosen, types, context, target)
