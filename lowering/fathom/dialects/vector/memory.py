"""Vectors from and to memory: whole, masked, gathered, compressed.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from fathom.dialects.vector.common import check_indices, count_of, rank, shaped, shaped_type, vector_type
from fathom.ir.strides import has_unit_stride
from fathom.ir.types import MemRefType, VectorType
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import vector as ops

Masked: TypeAlias = "ops.MaskedloadOp | ops.ExpandloadOp | ops.MaskedstoreOp | ops.CompressstoreOp"
Indexed: TypeAlias = "ops.GatherOp | ops.ScatterOp"
LOADS: Final = (ops.LoadOp, ops.MaskedloadOp, ops.ExpandloadOp, ops.GatherOp)
BY_FIRST: Final = (ops.ExpandloadOp, ops.CompressstoreOp)
"""Those of which the first dimension alone must fit the mask."""


def _accessed(op: ops.LoadOp | ops.StoreOp | Masked | Indexed) -> tuple[str, VectorType]:
    """What messages call the vector that is read or written, and its type."""
    return (
        ("result", vector_type(op.result)) if isinstance(op, LOADS) else ("valueToStore", vector_type(op.valueToStore))
    )


def _check_pass_thru(op: Masked | Indexed) -> Complaint:
    if not isinstance(op, (ops.MaskedloadOp, ops.ExpandloadOp, ops.GatherOp)) or op.pass_thru.type == op.result.type:
        return None
    return "expected pass_thru of same type as result type"


@verifies("vector.load", "vector.store")
def _verify_whole(op: ops.LoadOp | ops.StoreOp) -> Complaint:
    (noun, type), base = _accessed(op), op.base.type
    assert isinstance(base, MemRefType), "the definition demands a memref with a rank"
    if (type.scalable or count_of(type) != 1) and not has_unit_stride(base):
        return "most minor memref dim must have unit stride"
    is_load = isinstance(op, ops.LoadOp)
    if len(base.ranked_shape) < rank(type):
        which, of = ("destination", "result vector") if is_load else ("source", "vector to store")
        return f"{which} memref has lower rank than the {of}"
    element = base.element
    if isinstance(element, VectorType):
        if element != type:
            return f"base memref and {noun} vector types should match"
        element = element.element
    if type.element != element:
        return f"base and {noun} element {'types' if is_load else 'type'} should match"
    return check_indices(base, op.indices)


@verifies("vector.maskedload", "vector.maskedstore", "vector.expandload", "vector.compressstore")
def _verify_masked(op: Masked) -> Complaint:
    (noun, type), mask = _accessed(op), vector_type(op.mask)
    if type.element != shaped_type(op.base).element:
        return f"base and {noun} element type should match"
    if problem := check_indices(op.base.type, op.indices):
        return problem
    word, count = ("dim", 1) if isinstance(op, BY_FIRST) else ("shape", None)
    if type.ranked_shape[:count] != mask.ranked_shape[:count]:
        return f"expected {noun} {word} to match mask {word}"
    return _check_pass_thru(op)


@verifies("vector.gather", "vector.scatter")
def _verify_indexed(op: Indexed) -> Complaint:
    (noun, type), base = _accessed(op), shaped(op.base.type)
    if base is None:
        return "requires base to be a memref or ranked tensor type"
    if type.element != base.element:
        return f"base and {noun} element type should match"
    if problem := check_indices(base, op.offsets):
        return problem
    for word, other in (("indices", op.indices), ("mask", op.mask)):
        if vector_type(other).shape != type.shape:
            return f"expected {noun} dim to match {word} dim"
    return _check_pass_thru(op)
