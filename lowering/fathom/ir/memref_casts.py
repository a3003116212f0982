"""Which memref may be seen as one of another type: what both types know agrees.

Source of the rules: *'memref' Dialect*, `memref.cast`.
"""

from __future__ import annotations

from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, Type


def _agree(a: int, b: int) -> bool:
    return a == b or DYNAMIC in (a, b)


def are_cast_compatible(source: Type, target: Type) -> bool:
    """Whether `memref.cast` may go from one type to the other: what both know must agree."""
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return False
    if source.element != target.element or source.space != target.space:
        return False
    if source.shape is None or target.shape is None:
        return source.shape is not None or target.shape is not None
    if len(source.shape) != len(target.shape) or not all(map(_agree, source.shape, target.shape)):
        return False
    return source.layout == target.layout or _layouts_agree(source, target)


def _layouts_agree(source: MemRefType, target: MemRefType) -> bool:
    first, second = strides_and_offset(source), strides_and_offset(target)
    if first is None or second is None or not _agree(first[1], second[1]):
        return False
    return all(map(_agree, first[0], second[0]))


def always_casts(source: MemRefType, target: MemRefType) -> bool:
    """Whether no offset and no stride is stated that was not known, so that a cast holds at run time."""
    before, after = strides_and_offset(source), strides_and_offset(target)
    if before is None or after is None:
        return False
    pairs = zip((*before[0], before[1]), (*after[0], after[1]), strict=True)
    return not any(a == DYNAMIC != b for a, b in pairs)
