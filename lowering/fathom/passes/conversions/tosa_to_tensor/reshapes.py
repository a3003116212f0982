"""`tosa.reshape` as a collapse to what both shapes have in common, and an expansion from there.

    %0 = tosa.reshape %t, %shape : (tensor<2x3x4xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
->
    %0 = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from fathom.dialects.tosa.values import integers_of
from fathom.ir.types import DYNAMIC
from fathom.passes.tensors import cast, collapsed, expanded, tensor_type
from fathom.records import replace
from fathom.rewriting.folding import folded_result
from fathom.rewriting.pattern import NO_MATCH, Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

    Shape = Sequence[int]


def reshape(op: ops.ReshapeOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """See the module."""
    assert rewriter.types is not None, "the pattern has a type converter"
    type = rewriter.types.convert(op.result.type)
    wanted = integers_of(op.shape, only_shapes=True)
    source = tensor_type(operands[0])
    if type is None or wanted is None or source.shape is None:
        return NO_MATCH
    if not wanted:
        # Nothing is collapsed to a tensor without dimensions from a shape that is not known.
        source = replace(source, shape=(1,) * len(source.shape))
    after = _expanded_shape(source.ranked_shape, wanted)
    between = _common_shape(source.ranked_shape, after)
    value = cast(rewriter, operands[0], source)
    groups = groups_between(source.ranked_shape, between)
    value = folded_result(rewriter, collapsed(rewriter, value, between, groups))
    type_after, groups = replace(source, shape=after), groups_between(after, between)
    value = folded_result(rewriter, expanded(rewriter, value, type_after, groups))
    rewriter.replace(op, [cast(rewriter, value, type)])
    return None


def _expanded_shape(source: Shape, wanted: Shape) -> tuple[int, ...]:
    """The shape that is asked for, with a number for -1 where it is known. From a shape that is not known comes none
    that is."""
    if not wanted:
        return ()
    is_known = DYNAMIC not in source
    others = -prod(wanted)
    rest = (prod(source) // others if others else 0) if is_known else DYNAMIC
    shape = [size if size >= 0 else rest for size in wanted]
    if not is_known and DYNAMIC not in shape:
        shape[0] = DYNAMIC
    return tuple(shape)


def _common_shape(one: Shape, other: Shape) -> tuple[int, ...]:
    """The finest shape that both can be collapsed to."""
    if not one or not other:
        return ()
    if DYNAMIC in one or DYNAMIC in other:
        return (DYNAMIC,)
    extents: list[int] = []
    i = j = 0
    while i < len(one) and j < len(other):
        left, right = one[i], other[j]
        while left != right and i < len(one) and j < len(other):
            if left < right:
                i += 1
                left *= one[i] if i < len(one) else 1
            else:
                j += 1
                right *= other[j] if j < len(other) else 1
        if left == right:
            extents.append(left)
        i, j = i + 1, j + 1
    return tuple(extents)


def groups_between(fine: Shape, coarse: Shape) -> list[list[int]]:
    """Which dimensions of the one shape each of the other stands for; those of size 1 belong to what is before them."""
    if not fine or not coarse:
        return []
    if DYNAMIC in fine or DYNAMIC in coarse:
        return [list(range(len(fine)))]
    groups: list[list[int]] = []
    index = 0
    for place, wanted in enumerate(coarse):
        group: list[int] = []
        groups.append(group)
        if index >= len(fine):
            continue
        size = fine[index]
        while size < wanted and index < len(fine):
            group.append(index)
            index += 1
            size *= fine[index] if index < len(fine) else 1
        if size == wanted:
            group.append(index)
            index += 1
            if place == len(coarse) - 1 or coarse[place + 1] != 1:
                while index < len(fine) and fine[index] == 1:
                    group.append(index)
                    index += 1
    return groups
