"""Reductions of vectors to scalars and to vectors of fewer dimensions, and scans.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from fathom.dialects.vector.common import combines, flags, kind_of, numbers_of, rank, vector, vector_of
from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Operation
from fathom.ir.types import element_type
from fathom.irdl.verifying import Complaint, verifies


@verifies("vector.reduction")
def _verify_reduction(op: Operation) -> Complaint:
    source, type = op.one_of("vector").type, op.result.type
    if rank(source) > 1:
        return f"unsupported reduction rank: {rank(source)}"
    kind = kind_of(op.properties.get("kind"))
    return None if combines(kind, type) else f"unsupported reduction type ''{type}'' for kind '{kind}'"


@verifies("vector.multi_reduction")
def _verify_multi_reduction(op: Operation) -> Complaint:
    source, found = vector(op.one_of("source").type), op.result.type
    if source is None:
        return None
    reduced = set(numbers_of(op, "reduction_dims"))
    kept = [index for index in range(rank(source)) if index not in reduced]
    shape, scalable = source.ranked_shape, flags(source)
    expected = vector_of([shape[i] for i in kept], source.element, [scalable[i] for i in kept])
    if found == (expected if kept else source.element):
        return None
    return f"destination type '{found}' is incompatible with source type '{source}'"


@verifies("vector.scan")
def _verify_scan(op: Operation) -> Complaint:
    source, initial = vector(op.one_of("source").type), vector(op.one_of("initial_value").type)
    attribute = op.properties.get("reduction_dim")
    if source is None or initial is None or not isinstance(attribute, IntegerAttr):
        return None
    dim = attribute.value
    if dim >= rank(source):
        return f"reduction dimension {dim} has to be less than {rank(source)}"
    if rank(initial) != rank(source) - 1:
        return f"initial value rank {rank(initial)} has to be equal to {rank(source) - 1}"
    if initial.shape != tuple(n for index, n in enumerate(source.ranked_shape) if index != dim):
        return "incompatible input/initial value shapes"
    kind, element = kind_of(op.properties.get("kind")), element_type(op.results[0].type)
    return None if combines(kind, element) else f"unsupported reduction type '{element}' for kind '{kind}'"
