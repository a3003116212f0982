"""The lowerings of `convert-vector-to-llvm`, by the names of the operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.vector.common import rank, vector_type
from fathom.ir.types import I32, I64, VectorType
from fathom.ops.vector import CreateMaskOp
from fathom.passes.arithmetic import compare
from fathom.passes.conversions.convert_vector_to_llvm.elements import ELEMENTS
from fathom.passes.conversions.convert_vector_to_llvm.memory import memory
from fathom.passes.conversions.convert_vector_to_llvm.printing import PRINTING
from fathom.passes.conversions.convert_vector_to_llvm.reductions import reductions
from fathom.passes.vectors.building import broadcast
from fathom.passes.vectors.masks import as_integer
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.passes.conversions.convert_vector_to_llvm import ConvertVectorToLLVMPass
    from fathom.passes.to_llvm.patterns import Lower
    from fathom.rewriting.rewriter import Rewriter


def lowerings(use: ConvertVectorToLLVMPass) -> dict[str, Lower]:
    return {
        **ELEMENTS,
        **memory(use.use_vector_alignment),
        **PRINTING,
        **reductions(use.reassociate_fp_reductions),
    }


def scalable_mask(*, narrow: bool) -> Pattern:
    """The pattern for scalable masks of one dimension; with `narrow`, indices are taken to fit in 32 bits."""
    type = I32 if narrow else I64

    def rewrite(op: CreateMaskOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """
            %0 = vector.create_mask %n : vector<[4]xi1>
        ->
            %1 = llvm.intr.stepvector : vector<[4]xi32>
            %2 = vector.broadcast %n : i32 to vector<[4]xi32>
            %0 = arith.cmpi slt, %1, %2 : vector<[4]xi32>
        """
        mask = vector_type(op.result)
        if rank(mask) != 1 or not mask.scalable:
            return Failure("only scalable masks of one dimension are compared with the steps of a vector")
        indices = VectorType(mask.shape, type, mask.scalable)
        steps = rewriter.create("llvm.intr.stepvector", (), [indices]).result
        bound = as_integer(rewriter, operands[0], type)
        rewriter.replace(op, [compare(rewriter, "slt", steps, broadcast(rewriter, bound, indices))])
        return None

    return Pattern("vector.create_mask", rewrite, name=f"VectorCreateMaskOpConversion<{type}>")
