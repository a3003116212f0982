"""The patterns that operations of `apply_patterns` for linalg, memref, tensor and others stand for.

Source of the rules: the modules `*TransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes import result_dims, tensor_subsets
from fathom.passes.gpu_to_llvm import rewrites
from fathom.passes.structured import accumulators, padded_transfers, padding, tidying
from fathom.passes.transform_dialect.models import always, patterns
from fathom.passes.transforms.expand_strided_metadata import extraction
from fathom.passes.transforms.expand_strided_metadata import views as views_of_metadata
from fathom.passes.transforms.fold_memref_alias_ops import accesses, views

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ops.transform import ApplyPatternsGpuGpuShuffleToAmdgpuOp
    from fathom.rewriting.pattern import Pattern

TRANSFORM_PATTERNS: Final = always(
    {
        "transform.apply_patterns.gpu.gpu_rewrite_patterns": rewrites.REWRITES,
        "transform.apply_patterns.linalg.decompose_pad": padding.PATTERNS,
        "transform.apply_patterns.linalg.erase_unnecessary_inputs": tidying.UNNEEDED[:1],
        "transform.apply_patterns.linalg.fold_add_into_dest": accumulators.PATTERNS,
        "transform.apply_patterns.linalg.pad_vectorization": padded_transfers.PATTERNS,
        "transform.apply_patterns.memref.expand_strided_metadata": [
            *extraction.PATTERNS,
            *views_of_metadata.PATTERNS,
        ],
        "transform.apply_patterns.memref.fold_memref_alias_ops": [*accesses.PATTERNS, *views.PATTERNS],
        "transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims": result_dims.DIMS,
        "transform.apply_patterns.tensor.fold_tensor_subset_ops": tensor_subsets.PATTERNS,
    }
)


@patterns("transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu")
def shuffles(op: ApplyPatternsGpuGpuShuffleToAmdgpuOp, context: Context) -> list[Pattern]:
    from fathom.passes.conversions.convert_gpu_to_rocdl.promotions import promotions
    from fathom.passes.gpu_to_llvm.chipsets import Chipset

    return promotions(Chipset.read(op.chipset.value) if op.chipset is not None else None)
