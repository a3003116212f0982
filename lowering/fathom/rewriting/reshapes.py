"""The canonicalisation of `expand_shape` and `collapse_shape`, of tensors as of memrefs: two such reshapes become one.

    %0 = tensor.expand_shape %t [[0], [1, 2]] …
    %1 = tensor.collapse_shape %0 [[0, 1], [2]] …       ->      one of them, or a cast

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import Attribute, index_attr
from fathom.ir.strides import is_identity
from fathom.ir.types import DYNAMIC, INDEX, MemRefType, ShapedType
from fathom.irdl.index_lists import mixed, separated
from fathom.irdl.reassociations import attribute_of, collapse_groups, compose, cover, groups_of
from fathom.ops import memref, tensor
from fathom.rewriting.folding import create_or_fold, known_number
from fathom.rewriting.pattern import Failure, Replacement
from fathom.rewriting.result_shapes import folded_dim

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import TensorType, Type
    from fathom.irdl.reassociations import Groups
    from fathom.rewriting.rewriter import Rewriter


EXPANSIONS: Final = (memref.ExpandShapeOp, tensor.ExpandShapeOp)
COLLAPSES: Final = (memref.CollapseShapeOp, tensor.CollapseShapeOp)
Expansion: TypeAlias = "memref.ExpandShapeOp | tensor.ExpandShapeOp"
Collapse: TypeAlias = "memref.CollapseShapeOp | tensor.CollapseShapeOp"


def groups_in(op: Expansion | Collapse) -> list[list[int]]:
    return groups_of(op.reassociation)


def sizes_of(expansion: Expansion) -> list[int | Value]:
    """The shape that an expansion gives."""
    return mixed(expansion.static_output_shape, expansion.output_shape)


def expand(
    rewriter: Rewriter, dialect: str, source: Value, type: Type, groups: Groups, sizes: Sequence[int | Value]
) -> Operation:
    """Makes an expansion to these sizes."""
    operands, numbers = separated(sizes)
    properties: dict[str, Attribute] = {"reassociation": attribute_of(groups), "static_output_shape": numbers}
    return rewriter.create(f"{dialect}.expand_shape", [source, *operands], [type], properties)


def collapse(rewriter: Rewriter, dialect: str, source: Value, type: Type, groups: Groups) -> Operation:
    """Makes a collapse."""
    return rewriter.create(f"{dialect}.collapse_shape", [source], [type], {"reassociation": attribute_of(groups)})


def _are_plain(*values: Value) -> bool:
    """Whether none is a memref of another layout than the identity."""
    return all(not isinstance(value.type, MemRefType) or is_identity(value.type) for value in values)


def _shape(value: Value) -> tuple[int, ...]:
    return value.type.ranked_shape if isinstance(value.type, ShapedType) else ()


def _again(op: Expansion | Collapse, source: Value, groups: Groups, rewriter: Rewriter) -> Operation:
    """The same shape in one step, from another value; of an expansion with the sizes that it had."""
    if isinstance(op, EXPANSIONS):
        return expand(rewriter, op.dialect, source, op.result.type, groups, sizes_of(op))
    return collapse(rewriter, op.dialect, source, op.result.type, groups)


def two_steps(op: Expansion | Collapse, rewriter: Rewriter) -> Replacement:
    """Two expansions, or two collapses, are one."""
    first = op.src.defining_op
    kinds = EXPANSIONS if isinstance(op, EXPANSIONS) else COLLAPSES
    if not isinstance(first, kinds) or not _are_plain(first.src, op.src, op.result):
        return None
    groups = compose(groups_in(first), groups_in(op))
    if groups is None:
        return None
    return _again(op, first.src, groups, rewriter)


def collapsed_expansion(op: Collapse, rewriter: Rewriter) -> Replacement:
    """
        %0 = tensor.expand_shape %t [[0], [1], [2, 3]] : tensor<?x?x?xi64> into tensor<?x?x?x1xi64>
        %r = tensor.collapse_shape %0 [[0, 1], [2, 3]] : tensor<?x?x?x1xi64> into tensor<?x?xi64>
    becomes
        %r = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x?x?xi64> into tensor<?x?xi64>
    or an expansion, if the rank grows in all.
    """
    expansion = op.src.defining_op
    if not isinstance(expansion, EXPANSIONS) or expansion.src.type == op.result.type:
        return None
    value = expansion.src
    if not _are_plain(value, op.src):
        return None
    before, after = len(_shape(value)), len(_shape(op.result))
    first, second = groups_in(expansion), groups_in(op)
    groups = cover(first, second) if before > after else cover(second, first)
    if groups is None:
        return Failure("a group of the one ends in the midst of one of the other")
    if before > after:
        return _again(op, value, groups, rewriter)
    if before < after:
        shape = sizes_of(expansion)
        sizes = [_product([shape[dim] for dim in group], rewriter) for group in second]
        return expand(rewriter, op.dialect, value, op.result.type, groups, sizes)
    return rewriter.create(f"{op.dialect}.cast", [value], [op.result.type])


def _product(sizes: Sequence[int | Value], rewriter: Rewriter) -> int | Value:
    numbers = [known_number(size) for size in sizes]
    values = [size for size, number in zip(sizes, numbers, strict=True) if number is None and not isinstance(size, int)]
    known = prod(number for number in numbers if number is not None)
    if not values:
        return known
    result = values[0]
    for value in values[1:]:
        result = rewriter.create("arith.muli", [result, value], [INDEX]).result
    if known == 1:
        return result
    factor = rewriter.constant(index_attr(known), INDEX)
    return rewriter.create("arith.muli", [result, factor], [INDEX]).result


def expanded_collapse(op: Expansion, rewriter: Rewriter) -> Replacement:
    """What is collapsed and then expanded, in one step, where that is unique."""
    collapsed = op.src.defining_op
    if not isinstance(collapsed, COLLAPSES) or not _are_plain(op.src, collapsed.src):
        return None
    value = collapsed.src
    before, after = _shape(value), _shape(op.result)
    first, second = groups_in(collapsed), groups_in(op)
    if len(before) == len(after):
        return Failure("the rank stays")
    shrinks = len(before) > len(after)
    groups = collapse_groups(first, second, before, after) if shrinks else collapse_groups(second, first, after, before)
    if groups is None:
        return Failure("the groups do not follow")
    if shrinks:
        return collapse(rewriter, op.dialect, value, op.result.type, groups)
    return _again(op, value, groups, rewriter)


# ---- sizes of an expansion


def expand_tensor(rewriter: Rewriter, source: Value, type: TensorType, groups: Groups) -> Value:
    """`tensor.expand_shape` to a type that leaves one size of each group open at most: as much as is left of the size
    that is expanded."""
    before = [folded_dim(rewriter, source, index) for index in range(len(_shape(source)))]
    shape = type.ranked_shape
    sizes: list[int | Value] = [1] * len(shape) if not before else list(shape)
    for place, group in enumerate(groups):
        for index in group:
            size = before[place]
            if shape[index] == DYNAMIC and not isinstance(size, int):
                known = prod(shape[dimension] for dimension in group if dimension != index)
                factor = rewriter.constant(index_attr(known), INDEX)
                sizes[index] = create_or_fold(rewriter, "arith.divsi", [size, factor], INDEX)
    return expand(rewriter, "tensor", source, type, groups, sizes).result
