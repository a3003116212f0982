"""The same elements in a shape with more or fewer dimensions.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from fathom.dialects.memref.common import type_of
from fathom.ir.attributes import StridedLayoutAttr
from fathom.ir.strides import is_identity, strides_and_offset, times
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.reassociations import groups_of
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.memref import CollapseShapeOp, ExpandShapeOp
from fathom.records import replace


def _verify_groups(groups: list[list[int]], expanded: MemRefType, collapsed: MemRefType) -> Complaint:
    if len(groups) != len(collapsed.ranked_shape):
        counts = f"found {len(groups)}, expected {len(collapsed.ranked_shape)}"
        return f"invalid number of reassociation groups: {counts}"
    if not groups:
        if all(size == 1 for size in expanded.ranked_shape):
            return None
        return "rank 0 memrefs can only be extended/collapsed with/from ones"
    following = 0
    for position, group in enumerate(groups):
        for index in group:
            if index != following:
                return "reassociation indices must be contiguous"
            following += 1
        if following > len(expanded.ranked_shape):
            return f"reassociation index {following - 1} is out of bounds"
        sizes = [expanded.ranked_shape[index] for index in group]
        size = collapsed.ranked_shape[position]
        if (size == DYNAMIC) != (DYNAMIC in sizes):
            return f"collapsed dim ({position}) must be dynamic if and only if reassociation group is dynamic"
        if size != DYNAMIC and prod(sizes) != size:
            return f"collapsed dim size ({size}) must equal reassociation group size ({prod(sizes)})"
    if following != len(expanded.ranked_shape):
        return f"expected reassociation groups to cover all {len(expanded.ranked_shape)} dimensions"
    return None


def collapsed_layout(source: MemRefType, groups: list[list[int]], *, strict: bool = False) -> StridedLayoutAttr | None:
    """The layout after groups of dimensions are joined; None where a group is known not to be contiguous, and if it is
    `strict` where it is not known to be."""
    layout = strides_and_offset(source)
    if layout is None:
        return None
    strides, shape = layout[0], source.ranked_shape
    joined: list[int] = []
    for group in groups:
        rest = list(group)
        while len(rest) > 1 and shape[rest[-1]] == 1:
            rest.pop()
        joined.append(strides[rest[-1]] if len(rest) == 1 or shape[rest[-1]] != DYNAMIC else DYNAMIC)
    for group, innermost in zip(groups, joined, strict=True):
        stride = innermost
        for index in reversed(group[1:]):
            stride = times(stride, shape[index])
            if shape[index - 1] == 1:
                continue
            outer = strides[index - 1]
            if (strict and DYNAMIC in (stride, outer)) or (DYNAMIC not in (stride, outer) and stride != outer):
                return None
    return StridedLayoutAttr(tuple(joined), layout[1])


def expanded_layout(source: MemRefType, shape: Sequence[int], groups: list[list[int]]) -> StridedLayoutAttr | None:
    """The layout after dimensions are split into groups of dimensions."""
    layout = strides_and_offset(source)
    if layout is None:
        return None
    split: list[int] = []
    for group, stride in zip(groups, layout[0], strict=True):
        inner: list[int] = []
        for index in reversed(group):
            inner.append(stride)
            stride = times(stride, shape[index])
        split += reversed(inner)
    # Of a source without dimensions no stride can be told.
    split += [1] * (len(shape) - len(split))
    return StridedLayoutAttr(tuple(split), layout[1])


def _verify_layout(kind: str, source: MemRefType, target: MemRefType, layout: StridedLayoutAttr) -> Complaint:
    expected = replace(source, shape=target.shape, layout=None if is_identity(source) else layout)
    return None if expected == target else f"expected {kind} type to be '{expected}' but found '{target}'"


def _verify_ranks(source: MemRefType, target: MemRefType, noun: str, sign: str) -> Complaint:
    """The one rank is not less, or not greater, than the other."""
    first, second = len(source.ranked_shape), len(target.ranked_shape)
    if first == second or (first < second) != (sign == "<"):
        return None
    return f"has source rank {first} and result rank {second}. This is not {noun} ({first} {sign} {second})."


@verifies("memref.collapse_shape")
def _verify_collapse(op: CollapseShapeOp) -> Complaint:
    source, target, groups = type_of(op.src), type_of(op.result), groups_of(op.reassociation)
    problems = _verify_ranks(source, target, "a collapse", "<") or _verify_groups(groups, source, target)
    if problems:
        return problems
    layout = collapsed_layout(source, groups)
    if layout is None:
        return "invalid source layout map or collapsing non-contiguous dims"
    return _verify_layout("collapsed", source, target, layout)


@verifies("memref.expand_shape")
def _verify_expand(op: ExpandShapeOp) -> Complaint:
    source, target, groups = type_of(op.src), type_of(op.result), groups_of(op.reassociation)
    problems = _verify_ranks(source, target, "an expansion", ">") or _verify_groups(groups, target, source)
    if problems:
        return problems
    layout = expanded_layout(source, target.ranked_shape, groups)
    if layout is None:
        return "invalid source layout map"
    return _verify_layout("expanded", source, target, layout) or _verify_output_shape(op, target.ranked_shape)


def _verify_output_shape(op: ExpandShapeOp, shape: tuple[int, ...]) -> Complaint:
    sizes = op.static_output_shape.values
    if len(sizes) != len(shape):
        counts = f"({len(shape)}) but found {len(sizes)} inputs instead"
        return f"expected number of static shape bounds to be equal to the output rank {counts}"
    dynamic, values = sizes.count(DYNAMIC), len(op.output_shape)
    if dynamic != values:
        mismatch = f"static_output_shape has {dynamic} dynamic dims while output_shape has {values} values"
        return f"mismatch in dynamic dims in output_shape and static_output_shape: {mismatch}"
    for index, (size, extent) in enumerate(zip(sizes, shape, strict=True)):
        if extent not in (DYNAMIC, size):
            return f"invalid output shape provided at pos {index}"
    return None
