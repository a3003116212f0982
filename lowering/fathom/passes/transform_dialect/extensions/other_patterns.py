"""The patterns that operations of `apply_patterns` for linalg, memref, tensor and others stand for.

Source of the rules: the modules `*TransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes import result_dims, tensor_subsets
from fathom.passes.structured import accumulators, padded_transfers, padding, tidying
from fathom.passes.transform_dialect.models import patterns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.rewriting.pattern import Pattern


@patterns("transform.apply_patterns.linalg.decompose_pad")
def decompose_pad(op: Operation, context: Context) -> Sequence[Pattern]:
    return padding.PATTERNS


@patterns("transform.apply_patterns.linalg.fold_add_into_dest")
def fold_add_into_dest(op: Operation, context: Context) -> Sequence[Pattern]:
    return accumulators.PATTERNS


@patterns("transform.apply_patterns.linalg.erase_unnecessary_inputs")
def erase_unnecessary_inputs(op: Operation, context: Context) -> Sequence[Pattern]:
    return tidying.UNNEEDED[:1]


@patterns("transform.apply_patterns.tensor.fold_tensor_subset_ops")
def fold_tensor_subset_ops(op: Operation, context: Context) -> Sequence[Pattern]:
    return tensor_subsets.PATTERNS


@patterns("transform.apply_patterns.memref.fold_memref_alias_ops")
def fold_memref_alias_ops(op: Operation, context: Context) -> Sequence[Pattern]:
    from fathom.passes.transforms.fold_memref_alias_ops.accesses import PATTERNS as ACCESSES
    from fathom.passes.transforms.fold_memref_alias_ops.views import PATTERNS as VIEWS

    return [*ACCESSES, *VIEWS]


@patterns("transform.apply_patterns.memref.expand_strided_metadata")
def expand_strided_metadata(op: Operation, context: Context) -> Sequence[Pattern]:
    from fathom.passes.transforms.expand_strided_metadata.extraction import PATTERNS as EXTRACTION
    from fathom.passes.transforms.expand_strided_metadata.views import PATTERNS as VIEWS

    return [*EXTRACTION, *VIEWS]


@patterns("transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims")
def resolve_ranked_dims(op: Operation, context: Context) -> Sequence[Pattern]:
    return result_dims.DIMS


@patterns("transform.apply_patterns.linalg.pad_vectorization")
def pad_vectorization(op: Operation, context: Context) -> Sequence[Pattern]:
    return padded_transfers.PATTERNS
