"""Vectors from and to memory: whole, masked, gathered, compressed.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.vector.common import count_of, rank, shaped, vector
from fathom.ir.operation import Operation
from fathom.ir.strides import has_unit_stride
from fathom.ir.types import MemRefType, VectorType
from fathom.irdl.verifying import Check, Checks, Complaint


def _verify_whole(noun: str, lower: str) -> Check:
    """`vector.load` and `vector.store`; `noun` is the vector, `lower` what is said of one of more dimensions than the
    memref has."""
    is_load = noun == "result"
    of_elements = "element types" if is_load else "element type"

    def verify(op: Operation) -> Complaint:
        type = vector(op.result.type if is_load else op.one_of(noun).type)
        base = op.one_of("base").type
        if type is None or not isinstance(base, MemRefType) or base.shape is None:
            return None
        is_single = not type.scalable and count_of(type) == 1
        if not is_single and not has_unit_stride(base):
            return "most minor memref dim must have unit stride"
        if len(base.shape) < rank(type):
            return lower
        element = base.element
        if isinstance(element, VectorType):
            if element != type:
                return f"base memref and {noun} vector types should match"
            element = element.element
        if type.element != element:
            return f"base and {noun} {of_elements} should match"
        return _check_indices(op, "indices")

    return verify


def _check_indices(op: Operation, group: str) -> Complaint:
    base = shaped(op.one_of("base").type)
    if base is None or len(op.all_of(group)) == len(base.ranked_shape):
        return None
    return f"requires {len(base.ranked_shape)} indices"


def _verify_masked(noun: str, *, words: str, leading: bool = False) -> Check:
    """Accesses with a mask; `noun` is the vector, `words` how the message about its shape names that, `leading` that
    the first dimension alone is looked at."""

    def verify(op: Operation) -> Complaint:
        is_load = noun == "result"
        type = vector(op.result.type if is_load else op.one_of(noun).type)
        mask, base = vector(op.one_of("mask").type), op.one_of("base").type
        if type is None or mask is None or not isinstance(base, MemRefType):
            return None
        if type.element != base.element:
            return f"base and {noun} element type should match"
        if problems := _check_indices(op, "indices"):
            return problems
        shapes = (type.shape, mask.shape) if not leading else (type.ranked_shape[:1], mask.ranked_shape[:1])
        if shapes[0] != shapes[1]:
            return f"expected {noun} {words} to match mask {words}"
        if is_load and op.one_of("pass_thru").type != type:
            return "expected pass_thru of same type as result type"
        return None

    return verify


def _verify_indexed(noun: str) -> Check:
    """`vector.gather` and `vector.scatter`; `noun` is the vector."""

    def verify(op: Operation) -> Complaint:
        is_load = noun == "result"
        type = vector(op.result.type if is_load else op.one_of(noun).type)
        base = shaped(op.one_of("base").type)
        if base is None:
            return "requires base to be a memref or ranked tensor type"
        if type is None:
            return None
        if type.element != base.element:
            return f"base and {noun} element type should match"
        if problems := _check_indices(op, "offsets"):
            return problems
        for group, word in (("indices", "indices"), ("mask", "mask")):
            other = vector(op.one_of(group).type)
            if other is not None and other.shape != type.shape:
                return f"expected {noun} dim to match {word} dim"
        if is_load and op.one_of("pass_thru").type != type:
            return "expected pass_thru of same type as result type"
        return None

    return verify


VERIFY: Final[Checks] = {
    "vector.load": _verify_whole("result", "destination memref has lower rank than the result vector"),
    "vector.store": _verify_whole("valueToStore", "source memref has lower rank than the vector to store"),
    "vector.maskedload": _verify_masked("result", words="shape"),
    "vector.maskedstore": _verify_masked("valueToStore", words="shape"),
    "vector.expandload": _verify_masked("result", words="dim", leading=True),
    "vector.compressstore": _verify_masked("valueToStore", words="dim", leading=True),
    "vector.gather": _verify_indexed("result"),
    "vector.scatter": _verify_indexed("valueToStore"),
}
