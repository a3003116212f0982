"""The same memory under another memref type.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.dialects.memref.common import check_alike, type_of
from fathom.ir.memref_casts import are_cast_compatible
from fathom.ir.strides import is_identity, strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.checking import bare, cast_incompatible
from fathom.irdl.slices import verify_slice
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.memref import CastOp, MemorySpaceCastOp, ReinterpretCastOp, ReshapeOp
from fathom.records import replace


@verifies("memref.cast")
def _verify_cast(op: CastOp) -> Complaint:
    return None if are_cast_compatible(op.source.type, op.dest.type) else cast_incompatible(op)


@verifies("memref.memory_space_cast")
def _verify_space_cast(op: MemorySpaceCastOp) -> Complaint:
    source, target = op.source.type, op.dest.type
    assert isinstance(source, MemRefType), "the constraints hold"
    assert isinstance(target, MemRefType), "the constraints hold"
    return None if replace(source, space=target.space) == target else cast_incompatible(op)


# ---- reinterpret_cast


@verifies("memref.reinterpret_cast")
def _verify_reinterpret(op: ReinterpretCastOp) -> Complaint:
    source, target = op.source.type, type_of(op.result)
    rank = len(target.ranked_shape)
    if problems := verify_slice(op, 1, rank, rank):
        return problems
    assert isinstance(source, MemRefType), "the constraints hold"
    if problems := check_alike(source, target, "source type '{}' and result memref type '{}'"):
        return problems
    layout = strides_and_offset(target)
    sizes = _says_otherwise("size", op.static_sizes.values, target.ranked_shape)
    if sizes or layout is None:
        return sizes or bare(f"expected result type to have strided layout but found '{target}'")
    strides, offset = layout
    (expected,) = op.static_offsets.values[:1] or (DYNAMIC,)
    if offset not in (expected, DYNAMIC):
        return bare(f"expected result type with offset = {_spell(expected)} instead of {_spell(offset)}")
    return _says_otherwise("stride", op.static_strides.values, strides)


def _says_otherwise(noun: str, given: Sequence[int], actual: Sequence[int]) -> Complaint:
    """A result may know less than what was given, but nothing else."""
    for index, (expected, number) in enumerate(zip(given, actual, strict=False)):
        if number not in (expected, DYNAMIC):
            numbers = f"{_spell(expected)} instead of {_spell(number)} in dim = {index}"
            return bare(f"expected result type with {noun} = {numbers}")
    return None


def _spell(number: int) -> str:
    return "dynamic" if number == DYNAMIC else str(number)


@verifies("memref.reshape")
def _verify_reshape(op: ReshapeOp) -> Complaint:
    source, target = op.source.type, op.result.type
    assert isinstance(source, MemRefType), "the constraints hold"
    assert isinstance(target, MemRefType), "the constraints hold"
    if source.element != target.element:
        return "element types of source and destination memref types should be the same"
    if not is_identity(source):
        return "source memref type should have identity affine map"
    if target.shape is None:
        return None
    if not is_identity(target):
        return "result memref type should have identity affine map"
    (count,) = type_of(op.shape).ranked_shape
    if count == DYNAMIC:
        return "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
    if count != len(target.shape):
        return "length of shape operand differs from the result's memref rank"
    return None
