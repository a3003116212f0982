"""The canonicalisation of tensors that are expanded or collapsed: two such reshapes become one, casts go through them.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.canonicalization import create_constant
from fathom.dialects.tensor.canonicalization.building import (
    NO_MATCH,
    constant_number,
    defined_by,
    replace_by_cast,
)
from fathom.dialects.tensor.casts import CAST, forgets, ranked
from fathom.dialects.tensor.folds import reshaped
from fathom.ir.attributes import Attribute, index_attr
from fathom.ir.types import DYNAMIC, INDEX, TensorType
from fathom.irdl.index_lists import mixed, separated
from fathom.irdl.reassociations import attribute_of, collapse_groups, compose, cover, groups_of
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.reassociations import Groups
    from fathom.rewriting.rewriter import Rewriter

EXPAND: Final = "tensor.expand_shape"
COLLAPSE: Final = "tensor.collapse_shape"


def _groups(op: Operation) -> list[list[int]]:
    return groups_of(op.properties.get("reassociation"))


def _sizes(expansion: Operation) -> list[int | Value]:
    """The shape that an expansion gives."""
    return mixed(expansion.properties.get("static_output_shape"), expansion.operands[1:])


def _expand(
    rewriter: Rewriter, source: Value, type: TensorType, groups: Groups, sizes: Sequence[int | Value]
) -> Operation:
    operands, numbers = separated(sizes)
    properties: dict[str, Attribute] = {"reassociation": attribute_of(groups), "static_output_shape": numbers}
    return rewriter.create(EXPAND, [source, *operands], [type], properties)


def _collapse(rewriter: Rewriter, source: Value, type: TensorType, groups: Groups) -> Operation:
    return rewriter.create(COLLAPSE, [source], [type], {"reassociation": attribute_of(groups)})


def _replace(op: Operation, source: Value, groups: Groups, rewriter: Rewriter) -> None:
    """The same shape in one step, from another tensor; of an expansion with the sizes that it had."""
    type = ranked(op.result.type)
    assert type is not None, "the definition demands a rank"
    if op.name == EXPAND:
        made = _expand(rewriter, source, type, groups, _sizes(op))
    else:
        made = _collapse(rewriter, source, type, groups)
    rewriter.replace(op, [made.result])


def two_steps(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Two expansions, or two collapses, are one."""
    first = defined_by(operands[0], op.name)
    groups = compose(_groups(first), _groups(op)) if first is not None else None
    if first is None or groups is None:
        return NO_MATCH
    _replace(op, first.operands[0], groups, rewriter)
    return None


def collapsed_expansion(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = tensor.expand_shape %t [[0], [1], [2, 3]] : tensor<?x?x?xi64> into tensor<?x?x?x1xi64>
        %r = tensor.collapse_shape %0 [[0, 1], [2, 3]] : tensor<?x?x?x1xi64> into tensor<?x?xi64>
    becomes
        %r = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x?x?xi64> into tensor<?x?xi64>
    or an expansion, if the rank grows in all.
    """
    expansion, type = defined_by(operands[0], EXPAND), ranked(op.result.type)
    source = ranked(expansion.operands[0].type) if expansion is not None else None
    if expansion is None or type is None or source is None or source == type:
        return NO_MATCH
    before, after = len(source.ranked_shape), len(type.ranked_shape)
    first, second = _groups(expansion), _groups(op)
    groups = cover(first, second) if before > after else cover(second, first)
    if groups is None:
        return Failure("a group of the one ends in the midst of one of the other")
    value = expansion.operands[0]
    if before > after:
        _replace(op, value, groups, rewriter)
    elif before < after:
        shape = _sizes(expansion)
        sizes = [_product([shape[dim] for dim in group], rewriter) for group in second]
        rewriter.replace(op, [_expand(rewriter, value, type, groups, sizes).result])
    else:
        replace_by_cast(op, value, rewriter)
    return None


def _product(sizes: Sequence[int | Value], rewriter: Rewriter) -> int | Value:
    numbers = [each if isinstance(each, int) else constant_number(each) for each in sizes]
    values = [each for each, number in zip(sizes, numbers, strict=True) if number is None and not isinstance(each, int)]
    known = prod(number for number in numbers if number is not None)
    if not values:
        return known
    result = values[0]
    for value in values[1:]:
        result = rewriter.create("arith.muli", [result, value], [INDEX]).result
    if known == 1:
        return result
    factor = create_constant(rewriter, index_attr(known), INDEX)
    return rewriter.create("arith.muli", [result, factor], [INDEX]).result


def expanded_collapse(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is collapsed and then expanded, in one step, where that is unique."""
    collapse, type = defined_by(operands[0], COLLAPSE), ranked(op.result.type)
    source = ranked(collapse.operands[0].type) if collapse is not None else None
    if collapse is None or type is None or source is None:
        return NO_MATCH
    before, after = source.ranked_shape, type.ranked_shape
    first, second, value = _groups(collapse), _groups(op), collapse.operands[0]
    if len(before) == len(after):
        return Failure("the rank stays")
    if len(before) > len(after):
        groups = collapse_groups(first, second, before, after)
        if groups is None:
            return Failure("the groups do not follow")
        rewriter.replace(op, [_collapse(rewriter, value, type, groups).result])
        return None
    groups = collapse_groups(second, first, after, before)
    if groups is None:
        return Failure("the groups do not follow")
    _replace(op, value, groups, rewriter)
    return None


def known_expansion(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = tensor.cast %t : tensor<10xf32> to tensor<?xf32>
        %r = tensor.expand_shape %0 [[0, 1]] output_shape [%c2, %c5] : tensor<?xf32> into tensor<?x?xf32>
    becomes
        %1 = tensor.cast %0 : tensor<?xf32> to tensor<10xf32>
        %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 5] : tensor<10xf32> into tensor<2x5xf32>
        %r = tensor.cast %2 : tensor<2x5xf32> to tensor<?x?xf32>
    """
    cast, type = forgets(operands[0]), ranked(op.result.type)
    source = ranked(cast.operands[0].type) if cast is not None else None
    if source is None or type is None:
        return NO_MATCH
    groups, shape = _groups(op), list(type.ranked_shape)
    given = iter(op.operands[1:])
    rest: list[Value] = []
    for place, group in enumerate(groups):
        for dim in group:
            if shape[dim] != DYNAMIC:
                continue
            size = next(given)
            number = constant_number(size) if source.ranked_shape[place] != DYNAMIC else None
            if number is None:
                rest.append(size)
            else:
                shape[dim] = number
    if len(rest) == len(op.operands) - 1:
        return Failure("no size is known")
    sizes = [[shape[dim] for dim in group] for group in groups]
    joined = tuple(DYNAMIC if DYNAMIC in group else prod(group) for group in sizes)
    left = iter(rest)
    mixed_sizes = [next(left) if size == DYNAMIC else size for size in shape]
    value = rewriter.create(CAST, operands[:1], [TensorType(joined, type.element)]).result
    made = _expand(rewriter, value, TensorType(tuple(shape), type.element), groups, mixed_sizes)
    replace_by_cast(op, made.result, rewriter)
    return None


def collapsed_cast(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What was cast is collapsed, and the result cast, if that says more."""
    cast = forgets(operands[0])
    source = ranked(cast.operands[0].type) if cast is not None else None
    if cast is None or source is None:
        return NO_MATCH
    groups = _groups(op)
    sizes = [[source.ranked_shape[dim] for dim in group] for group in groups]
    type = TensorType(tuple(DYNAMIC if DYNAMIC in group else prod(group) for group in sizes), source.element)
    if type == op.result.type:
        rewriter.modify(op, lambda: op.set_operand(0, cast.operands[0]))
        return None
    replace_by_cast(op, _collapse(rewriter, cast.operands[0], type, groups).result, rewriter)
    return None


# ---- what is the same in any shape


def reshaped_constant(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A constant of equal elements."""
    found = reshaped(constant_value(operands[0]), op.result.type)
    if found is None or not isinstance(found[0], Attribute):
        return NO_MATCH
    rewriter.replace_with(op, "arith.constant", (), [op.result.type], {"value": found[0]})
    return None


def reshaped_splat(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """One value everywhere, if the shape is known."""
    splat, source = defined_by(operands[0], "tensor.splat"), ranked(operands[0].type)
    if splat is None or source is None or not source.has_static_shape:
        return NO_MATCH
    rewriter.replace_with(op, splat.name, splat.operands[:1], [op.result.type])
    return None


def reshaped_elements(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The elements of which the tensor is made, in another shape."""
    made, type = defined_by(operands[0], "tensor.from_elements"), ranked(op.result.type)
    if made is None or type is None or not type.has_static_shape:
        return NO_MATCH
    rewriter.replace_with(op, made.name, made.operands, [type])
    return None


def _of_any_shape(name: str) -> tuple[Pattern, ...]:
    return (
        Pattern(name, reshaped_constant, name="FoldReshapeWithConstant"),
        Pattern(name, reshaped_splat, name="FoldReshapeWithSplat"),
        Pattern(name, reshaped_elements, name="FoldReshapeWithFromElements"),
    )


PATTERNS: Final = (
    Pattern(COLLAPSE, two_steps, name="ComposeReassociativeReshapeOps"),
    Pattern(COLLAPSE, collapsed_expansion, name="ComposeCollapseOfExpandOp"),
    *_of_any_shape(COLLAPSE),
    Pattern(COLLAPSE, collapsed_cast, name="FoldCollapseOfCastOp"),
    Pattern(EXPAND, two_steps, name="ComposeReassociativeReshapeOps"),
    Pattern(EXPAND, expanded_collapse, name="ComposeExpandOfCollapseOp"),
    Pattern(EXPAND, known_expansion, name="ConvertToStaticExpandShape"),
    *_of_any_shape(EXPAND),
)
