"""The same elements in another shape, order or type, or repeated.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from fathom.dialects.vector.common import bits_of, count_of, flags, rank, vector, vector_type
from fathom.ir.strides import is_identity, row_major_strides, strides_and_offset
from fathom.ir.types import MemRefType, VectorType, element_type
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import vector as ops


@verifies("vector.broadcast")
def _verify_broadcast(op: ops.BroadcastOp) -> Complaint:
    source, target = op.source.type, vector_type(op.vector)
    if source == target.element:
        return None
    if not isinstance(source, VectorType):
        return "source type is not a vector"
    if rank(source) > rank(target):
        return "source rank higher than destination rank"
    lead = rank(target) - rank(source)
    dims = zip(source.ranked_shape, flags(source), target.ranked_shape[lead:], flags(target)[lead:], strict=True)
    for size, scalable, extent, is_scalable in dims:
        grows = size == 1 and not scalable
        if not grows and ((size, scalable) != (extent, is_scalable)):
            return f"dimension mismatch ({_dim(size, scalable)} vs. {_dim(extent, is_scalable)})"
    return None


def _dim(size: int, scalable: bool) -> str:
    return f"[{size}]" if scalable else str(size)


@verifies("vector.shape_cast")
def _verify_shape_cast(op: ops.ShapeCastOp) -> Complaint:
    source, target = vector_type(op.source), vector_type(op.result)
    if source.element != target.element:
        return "has different source and result element types"
    counts = {
        "elements": (count_of(source), count_of(target)),
        "scalable dims": (sum(flags(source)), sum(flags(target))),
    }
    for what, (first, second) in counts.items():
        if first != second:
            return f"has different number of {what} at source ({first}) and result ({second})"
    return None


@verifies("vector.bitcast")
def _verify_bitcast(op: ops.BitcastOp) -> Complaint:
    source, target = vector_type(op.source), vector_type(op.result)
    if rank(source) != rank(target):
        return None
    for index in range(rank(source) - 1):
        if source.ranked_shape[index] != target.ranked_shape[index]:
            return f"dimension size mismatch at: {index}"
    first, second = bits_of(source.element), bits_of(target.element)
    if first is None or second is None:
        return None
    if not source.shape:
        return None if first == second else "source/result bitwidth of the 0-D vector element types must be equal"
    if first * source.ranked_shape[-1] != second * target.ranked_shape[-1]:
        return "source/result bitwidth of the minor 1-D vectors must be equal"
    return None


@verifies("vector.type_cast")
def _verify_type_cast(op: ops.TypeCastOp) -> Complaint:
    source, target = op.memref.type, op.result.type
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType) or source.shape is None:
        return None
    if not is_identity(source) and strides_and_offset(source) != (row_major_strides(source.ranked_shape), 0):
        return "expects operand to be a memref with identity layout"
    if not is_identity(target):
        return "expects result to be a memref with identity layout"
    if source.space != target.space:
        return "expects result in same memory space"
    if element_type(source.element) != element_type(target.element):
        return f"expects result and operand with same underlying scalar type: '{target}'"
    if _whole_shape(source) != _whole_shape(target):
        return f"expects concatenated result and operand shapes to be equal: '{target}'"
    return None


def _whole_shape(type: MemRefType) -> tuple[int, ...]:
    """The shape with that of the elements."""
    inner = vector(type.element)
    return (*(type.shape or ()), *(inner.ranked_shape if inner is not None else ()))


@verifies("vector.transpose")
def _verify_transpose(op: ops.TransposeOp) -> Complaint:
    source, target, order = vector_type(op.vector), vector_type(op.result), op.permutation.values
    if rank(source) != rank(target):
        return f"vector result rank mismatch: {rank(target)}"
    if len(order) != rank(target):
        return f"transposition length mismatch: {len(order)}"
    seen: set[int] = set()
    for place, index in enumerate(order):
        if not 0 <= index < rank(target):
            return f"transposition index out of range: {index}"
        if index in seen:
            return f"duplicate position index: {index}"
        seen.add(index)
        if target.ranked_shape[place] != source.ranked_shape[index]:
            return f"dimension size mismatch at: {index}"
    return None
