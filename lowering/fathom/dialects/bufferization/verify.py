"""What MLIR's verifiers say of the operations of bufferization.

Source of the rules: *'bufferization' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from fathom.ir.operation import Operation, types_of
from fathom.ir.types import DYNAMIC, MemRefType, ShapedType, TensorType, Type
from fathom.irdl.checking import bare
from fathom.irdl.type_traits import compatible
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import bufferization as ops


@verifies("bufferization.alloc_tensor")
def _verify_alloc(op: ops.AllocTensorOp) -> Complaint:
    type, given, copied = op.result.type, len(op.dynamic_sizes), op.copy
    if copied is not None:
        if given:
            return bare("dynamic sizes not needed when copying a tensor")
        return None if copied.type == type else bare("expected that `copy` and return type match")
    expected = type.shape.count(DYNAMIC) if isinstance(type, TensorType) and type.shape is not None else given
    return None if given == expected else f"incorrect number of dynamic sizes, has {given}, expected {expected}"


# ---- casts


@verifies("bufferization.to_buffer", "bufferization.to_tensor")
def _verify_cast(op: Operation) -> Complaint:
    """A tensor and its buffer have the same shape and elements. Those of other dialects say themselves what they
    agree with."""
    source, target = op.operands[0].type, op.result.type
    if not isinstance(source, (TensorType, MemRefType)) or not isinstance(target, (TensorType, MemRefType)):
        return None
    if source.shape != target.shape:
        return bare("shapes do not match")
    return None if source.element == target.element else bare("element types do not match")


# ---- materialize_in_destination


@verifies("bufferization.materialize_in_destination")
def _verify_materialize(op: ops.MaterializeInDestinationOp) -> Complaint:
    source, dest = op.source.type, op.dest.type
    in_memory, results = isinstance(dest, MemRefType), types_of(op.results)
    if not isinstance(dest, (TensorType, MemRefType)):
        return "'dest' must be a tensor or a memref"
    if not in_memory and len(results) != 1:
        return "tensor 'dest' implies exactly one tensor result"
    if not in_memory and results[0] != dest:
        return "result and 'dest' types must match"
    if in_memory and results:
        return "memref 'dest' implies zero results"
    if "restrict" in op.properties and not in_memory:
        return "'restrict' is valid only for memref destinations"
    if ("writable" in op.properties) != in_memory:
        return "'writable' must be specified if and only if the destination is of memref type"
    return _check_shapes(source, dest)


def _check_shapes(source: Type, dest: ShapedType) -> Complaint:
    if not isinstance(source, ShapedType):
        return None
    if source.shape is not None and dest.shape is not None and len(source.shape) != len(dest.shape):
        return "rank mismatch between source and destination shape"
    fits = (source.shape is None) == (dest.shape is None) and compatible(source.shape, dest.shape)
    return None if fits else "source/destination shapes are incompatible"


# ---- dealloc


@verifies("bufferization.dealloc")
def _verify_dealloc(op: ops.DeallocOp) -> Complaint:
    if len(op.memrefs) != len(op.conditions):
        return "must have the same number of conditions as memrefs to deallocate"
    if len(op.retained) != len(op.results):
        return "must have the same number of updated conditions (results) as retained operands"
    return None
