"""Reshapes go past padding and each other, so that they come together with what takes them in.

Source of the rules: `ElementwiseOpFusion.cpp` and `ReshapePatterns.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.tensor.canonicalization.pads import padding_value
from fathom.ir.types import DYNAMIC, TensorType
from fathom.irdl.index_lists import separated
from fathom.ops.tensor import CollapseShapeOp, ExpandShapeOp, PadOp
from fathom.passes.structured.generics import may_go
from fathom.passes.tensors import pad, paddings
from fathom.records import replace
from fathom.rewriting.pattern import Replacement, defined_by, replacing
from fathom.rewriting.reshapes import collapse, expand, groups_in, sizes_of
from fathom.rewriting.result_shapes import folded_dim

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.irdl.reassociations import Groups
    from fathom.rewriting.rewriter import Rewriter

# ---- padding


def _padded(
    op: PadOp, source: Value, shape: Sequence[int], groups: Groups, type: TensorType, rewriter: Rewriter
) -> Value:
    """Pads in the dimensions of an expansion; those that are more than one are not padded."""
    sizes = list(shape)
    lows: list[int | Value] = [0] * len(shape)
    highs: list[int | Value] = [0] * len(shape)
    before = paddings(op)
    for place, group in enumerate(groups):
        if len(group) == 1:
            sizes[group[0]] = type.ranked_shape[place]
            lows[group[0]], highs[group[0]] = before[0][place], before[1][place]
    value = padding_value(op)
    assert value is not None, "only what is padded with one value is expanded"
    made = pad(rewriter, source, replace(type, shape=tuple(sizes)), lows, highs, value)
    if op.nofold is not None and made.defining_op is not None:
        made.defining_op.properties["nofold"] = op.nofold
    return made


def _can_expand(op: PadOp, groups: Groups) -> bool:
    pairs = zip(groups, op.static_low.values, op.static_high.values, strict=True)
    return padding_value(op) is not None and all(len(group) == 1 or low == high == 0 for group, low, high in pairs)


def pad_before_collapse(op: PadOp, rewriter: Rewriter) -> Replacement:
    """What is collapsed and then padded is padded first."""
    reshape, type = defined_by(op.source, CollapseShapeOp), op.result.type
    if reshape is None or not isinstance(type, TensorType) or not may_go(op.source):
        return None
    groups = groups_in(reshape)
    if not _can_expand(op, groups) or not isinstance(reshape.src.type, TensorType):
        return None
    made = _padded(op, reshape.src, reshape.src.type.ranked_shape, groups, type, rewriter)
    return collapse(rewriter, "tensor", made, type, groups)


def pad_after_expansion(op: ExpandShapeOp, rewriter: Rewriter) -> Replacement:
    """What is padded and then expanded is expanded first."""
    padding, type = defined_by(op.src, PadOp), op.result.type
    if padding is None or not isinstance(type, TensorType) or not may_go(op.src):
        return None
    groups, source, before = groups_in(op), padding.source, padding.source.type
    if not _can_expand(padding, groups) or not isinstance(before, TensorType):
        return None
    sizes, shape = sizes_of(op), list(type.ranked_shape)
    with rewriter.elsewhere():
        rewriter.set_insertion_behind(source)
        known = [folded_dim(rewriter, source, dim) for dim in range(len(before.ranked_shape))]
        for place, group in enumerate(groups):
            if len(group) == 1:
                shape[group[0]], sizes[group[0]] = before.ranked_shape[place], known[place]
        expanded = expand(rewriter, "tensor", source, replace(type, shape=tuple(shape)), groups, sizes).result
    after = padding.result.type
    assert isinstance(after, TensorType), "it pads a tensor"
    return _padded(padding, expanded, type.ranked_shape, groups, after, rewriter)


# ---- a collapse before an expansion


def _are_apart(collapsed: Sequence[int], expanded: Sequence[int], before: Sequence[int], after: Sequence[int]) -> bool:
    """Whether a dimension is only collapsed, or only expanded, or is afterwards as it was before."""
    if len(collapsed) != len(expanded):
        return 1 in (len(collapsed), len(expanded))
    old, new = [before[dim] for dim in collapsed], [after[dim] for dim in expanded]
    return old == new and old.count(DYNAMIC) <= 1


def expand_first(op: ExpandShapeOp, rewriter: Rewriter) -> Replacement:
    """What is collapsed in some dimensions, and then expanded in others, is expanded first."""
    reshape, type = defined_by(op.src, CollapseShapeOp), op.result.type
    if reshape is None or not isinstance(type, TensorType) or not isinstance(reshape.src.type, TensorType):
        return None
    expanding, collapsing = groups_in(op), groups_in(reshape)
    before, after = reshape.src.type.ranked_shape, op.static_output_shape.values
    if not expanding or not all(_are_apart(*pair, before, after) for pair in zip(collapsing, expanding, strict=True)):
        return None
    sources = [folded_dim(rewriter, reshape.src, dim) for dim in range(len(before))]
    results = sizes_of(op)
    sizes: list[int | Value] = []
    expansion: list[list[int]] = []
    collapses: list[list[int]] = []
    for mine, theirs in zip(collapsing, expanding, strict=True):
        group = mine if len(mine) > 1 and len(theirs) == 1 else theirs
        places = list(range(len(sizes), len(sizes) + len(group)))
        sizes += [(sources if group is mine else results)[place] for place in group]
        is_expanded, is_collapsed = len(mine) < len(theirs), len(mine) > len(theirs)
        expansion += [places] if is_expanded else [[place] for place in places]
        collapses += [places] if is_collapsed else [[place] for place in places]
    numbers = separated(sizes)[1].values
    value = reshape.src
    if len(expansion) != len(sizes):
        value = expand(rewriter, "tensor", value, replace(type, shape=numbers), expansion, sizes).result
    if len(collapses) != len(sizes):
        value = collapse(rewriter, "tensor", value, type, collapses).result
    return value


PADDING: Final = (
    replacing("tensor.pad", pad_before_collapse, name="FoldPadWithProducerReshapeOpByExpansion"),
    replacing("tensor.expand_shape", pad_after_expansion, name="FoldReshapeWithProducerPadOpByExpansion"),
)
RESHAPES: Final = (replacing("tensor.expand_shape", expand_first, name="BubbleUpExpandThroughParallelCollapse"),)
