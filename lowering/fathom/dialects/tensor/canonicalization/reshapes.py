"""The canonicalisation of tensors that are expanded or collapsed: two such reshapes become one, casts go through them.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from math import prod
from typing import TypeAlias

from fathom.dialects.arith.elements import splat_constant
from fathom.dialects.tensor.canonicalization.building import cast_for
from fathom.dialects.tensor.casts import CAST, forgets, ranked
from fathom.dialects.tensor.folds import reshaped
from fathom.ir.attributes import Attribute
from fathom.ir.operation import Value
from fathom.ir.types import DYNAMIC, TensorType
from fathom.ops import tensor as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Replacement, defined_by
from fathom.rewriting.reshapes import collapse, expand, groups_in
from fathom.rewriting.rewriter import Rewriter

Reshape: TypeAlias = "ops.CollapseShapeOp | ops.ExpandShapeOp"


def known_expansion(op: ops.ExpandShapeOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = tensor.cast %t : tensor<10xf32> to tensor<?xf32>
        %r = tensor.expand_shape %0 [[0, 1]] output_shape [%c2, %c5] : tensor<?xf32> into tensor<?x?xf32>
    becomes
        %1 = tensor.cast %0 : tensor<?xf32> to tensor<10xf32>
        %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 5] : tensor<10xf32> into tensor<2x5xf32>
        %r = tensor.cast %2 : tensor<2x5xf32> to tensor<?x?xf32>
    """
    cast, type = forgets(op.src), ranked(op.result.type)
    source = ranked(cast.source.type) if cast is not None else None
    if source is None or type is None:
        return None
    groups, shape = groups_in(op), list(type.ranked_shape)
    given = iter(op.operands[1:])
    rest: list[Value] = []
    for place, group in enumerate(groups):
        for dim in group:
            if shape[dim] != DYNAMIC:
                continue
            size = next(given)
            number = splat_constant(size) if source.ranked_shape[place] != DYNAMIC else None
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
    value = rewriter.create(CAST, op.operands[:1], [TensorType(joined, type.element)]).result
    made = expand(rewriter, "tensor", value, TensorType(tuple(shape), type.element), groups, mixed_sizes)
    return cast_for(op, made.result, rewriter)


def collapsed_cast(op: ops.CollapseShapeOp, rewriter: Rewriter) -> Replacement:
    """What was cast is collapsed, and the result cast, if that says more."""
    cast = forgets(op.src)
    source = ranked(cast.source.type) if cast is not None else None
    if cast is None or source is None:
        return None
    groups = groups_in(op)
    sizes = [[source.ranked_shape[dim] for dim in group] for group in groups]
    type = TensorType(tuple(DYNAMIC if DYNAMIC in group else prod(group) for group in sizes), source.element)
    if type == op.result.type:
        rewriter.modify(op, lambda: op.set_operand(0, cast.source))
        return op
    return cast_for(op, collapse(rewriter, "tensor", cast.source, type, groups).result, rewriter)


# ---- what is the same in any shape


def reshaped_constant(op: Reshape, rewriter: Rewriter) -> Replacement:
    """A constant of equal elements."""
    folded = reshaped(constant_value(op.src), op.result.type)
    if folded is None or not isinstance(folded[0], Attribute):
        return None
    return rewriter.create("arith.constant", (), [op.result.type], {"value": folded[0]})


def reshaped_splat(op: Reshape, rewriter: Rewriter) -> Replacement:
    """One value everywhere, if the shape is known."""
    splat, source = defined_by(op.src, ops.SplatOp), ranked(op.src.type)
    if splat is None or source is None or not source.has_static_shape:
        return None
    return rewriter.create(splat.name, splat.operands[:1], [op.result.type])


def reshaped_elements(op: Reshape, rewriter: Rewriter) -> Replacement:
    """The elements of which the tensor is made, in another shape."""
    made, type = defined_by(op.src, ops.FromElementsOp), ranked(op.result.type)
    if made is None or type is None or not type.has_static_shape:
        return None
    return rewriter.create(made.name, made.operands, [type])
