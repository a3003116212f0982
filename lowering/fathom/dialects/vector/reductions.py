"""Reductions of vectors to scalars and to vectors of fewer dimensions, and scans.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from fathom.dialects.vector.common import combines, flags, kind_of, rank, vector_of, vector_type
from fathom.ir.types import element_type
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.vector import MultiReductionOp, ReductionOp, ScanOp


@verifies("vector.reduction")
def _verify_reduction(op: ReductionOp) -> Complaint:
    source, type = op.vector.type, op.result.type
    if rank(source) > 1:
        return f"unsupported reduction rank: {rank(source)}"
    kind = kind_of(op.kind)
    return None if combines(kind, type) else f"unsupported reduction type ''{type}'' for kind '{kind}'"


@verifies("vector.multi_reduction")
def _verify_multi_reduction(op: MultiReductionOp) -> Complaint:
    source, found = vector_type(op.source), op.result.type
    kept = [index for index in range(rank(source)) if index not in op.reduction_dims.values]
    shape, scalable = source.ranked_shape, flags(source)
    expected = vector_of([shape[i] for i in kept], source.element, [scalable[i] for i in kept])
    if found == (expected if kept else source.element):
        return None
    return f"destination type '{found}' is incompatible with source type '{source}'"


@verifies("vector.scan")
def _verify_scan(op: ScanOp) -> Complaint:
    source, initial, dim = vector_type(op.source), vector_type(op.initial_value), op.reduction_dim.value
    if dim >= rank(source):
        return f"reduction dimension {dim} has to be less than {rank(source)}"
    if rank(initial) != rank(source) - 1:
        return f"initial value rank {rank(initial)} has to be equal to {rank(source) - 1}"
    if initial.shape != tuple(n for index, n in enumerate(source.ranked_shape) if index != dim):
        return "incompatible input/initial value shapes"
    kind, element = kind_of(op.kind), element_type(op.dest.type)
    return None if combines(kind, element) else f"unsupported reduction type '{element}' for kind '{kind}'"
