"""The patterns that operations of `apply_patterns.vector` stand for.

Source of the rules: `VectorTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl.cases import word
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import always, patterns
from fathom.passes.vectors import leading_ones, masking, masks, merging, permutations, products, shapes, unrolling
from fathom.passes.vectors.contractions import contractions
from fathom.passes.vectors.multi_reductions import multi_reductions
from fathom.passes.vectors.transfers import transfers
from fathom.passes.vectors.transposes import INTRINSIC, transposes
from fathom.rewriting.canonicalization import CANONICALIZATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.rewriting.pattern import Pattern


TRANSFORM_PATTERNS: Final = always(
    {
        "transform.apply_patterns.vector.transfer_permutation_patterns": permutations.PERMUTATIONS,
        "transform.apply_patterns.vector.lower_masks": masks.ROWS,
        "transform.apply_patterns.vector.lower_create_mask": masks.ROWS,
        "transform.apply_patterns.vector.materialize_masks": masks.materializations(narrow=False),
        "transform.apply_patterns.vector.lower_outerproduct": [products.OUTER_PRODUCT],
        "transform.apply_patterns.vector.lower_shape_cast": shapes.SHAPE_CAST,
        "transform.apply_patterns.vector.lower_broadcast": [shapes.BROADCAST],
        "transform.apply_patterns.vector.lower_bitcast": [unrolling.BITCAST],
        "transform.apply_patterns.vector.lower_interleave": unrolling.INTERLEAVE,
        "transform.apply_patterns.vector.lower_gather": [unrolling.GATHER],
        "transform.apply_patterns.vector.unroll_from_elements": [unrolling.FROM_ELEMENTS],
        "transform.apply_patterns.vector.unroll_to_elements": [unrolling.TO_ELEMENTS],
        "transform.apply_patterns.vector.reduction_to_contract": merging.PATTERNS,
        "transform.apply_patterns.vector.cast_away_vector_leading_one_dim": leading_ones.PATTERNS,
    }
)


@patterns("transform.apply_patterns.vector.lower_multi_reduction")
def lower_multi_reduction(op: Operation, context: Context) -> list[Pattern]:
    return multi_reductions(reduced_inside=word(op, "lowering_strategy") == "innerreduction")


@patterns("transform.apply_patterns.vector.lower_contraction")
def lower_contraction(op: Operation, context: Context) -> list[Pattern]:
    return contractions(word(op, "lowering_strategy"))


@patterns("transform.apply_patterns.vector.lower_masked_transfers")
def lower_masked_transfers(op: Operation, context: Context) -> Sequence[Pattern]:
    of_dialect = context.aspect(CANONICALIZATION, "vector")
    return [masking.ACCESS, *(pattern for pattern in of_dialect if pattern.root == masking.ACCESS.root)]


@patterns("transform.apply_patterns.vector.lower_transfer")
def lower_transfer(op: ops.ApplyPatternsVectorLowerTransferOp, context: Context) -> Sequence[Pattern]:
    return transfers(op.max_transfer_rank.value)


_TRANSPOSES: Final = {
    "eltwise": "eltwise",
    "llvmintr": "llvmintr",
    "shuffle_1d": "shuffle1d",
    "shuffle_16x16": "shuffle16x16",
}
"""What the strategies are called by the pass that knows them too."""


@patterns("transform.apply_patterns.vector.lower_transpose")
def lower_transpose(op: Operation, context: Context) -> Sequence[Pattern]:
    way = _TRANSPOSES[word(op, "lowering_strategy")]
    return [*transposes(way), *([INTRINSIC] if way == "llvmintr" else [])]


@patterns("transform.apply_patterns.vector.transfer_to_scf")
def transfer_to_scf(op: ops.ApplyPatternsVectorTransferToScfOp, context: Context) -> Sequence[Pattern]:
    from fathom.passes.conversions.convert_vector_to_scf import ConvertVectorToSCFPass
    from fathom.passes.conversions.convert_vector_to_scf.lowerings import lowerings

    use = ConvertVectorToSCFPass(full_unroll=bool(op.full_unroll.value), target_rank=op.max_transfer_rank.value)
    return lowerings(use)
