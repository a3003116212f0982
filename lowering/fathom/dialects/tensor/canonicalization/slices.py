"""The canonicalisation of slices of tensors: constants become numbers, casts go into them or come out of them.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from fathom.dialects.arith.elements import splat_constant
from fathom.dialects.tensor.canonicalization.building import (
    Mixed,
    cast_to,
    is_inside,
    known_slice,
    slice_type,
    static,
    with_casts,
)
from fathom.dialects.tensor.casts import CAST, forgets, knows_as_much, ranked
from fathom.dialects.tensor.verify import mistake_in_part
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, TensorType
from fathom.irdl.slices import mixed_lists
from fathom.irdl.type_traits import have_compatible_shapes
from fathom.ops import tensor as ops
from fathom.rewriting.pattern import Failure, Replacement
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.slicing import create_slice

OUTSIDE: Final = Failure("it would go out of bounds")
EXTRACT: Final = "tensor.extract_slice"


# ---- extract_slice


def known_extraction(op: ops.ExtractSliceOp, rewriter: Rewriter) -> Replacement:
    """
        %r = tensor.extract_slice %t[0] [%c4] [1] : tensor<?xf32> to tensor<?xf32>
    becomes
        %0 = tensor.extract_slice %t[0] [4] [1] : tensor<?xf32> to tensor<4xf32>
        %r = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
    """
    source, type = ranked(op.source.type), ranked(op.result.type)
    lists = known_slice(*mixed_lists(op), zero_strides=True)
    if source is None or type is None or lists is None:
        return None
    if not is_inside(source.ranked_shape, *lists):
        return OUTSIDE
    known = slice_type(source, lists[1], len(type.ranked_shape))
    made = create_slice(rewriter, EXTRACT, [op.source], lists, [known]).result
    return cast_to(made, type, rewriter)


def extraction_of_cast(op: ops.ExtractSliceOp, rewriter: Rewriter) -> Replacement:
    """A slice of what was cast."""
    cast = forgets(op.source)
    if cast is None or any(splat_constant(operand) is not None for operand in op.operands):
        return None
    source, lists = ranked(cast.source.type), mixed_lists(op)
    if source is None or not is_inside(source.ranked_shape, *lists):
        return OUTSIDE
    return create_slice(rewriter, EXTRACT, cast.operands, lists, [op.result.type])


# ---- insert_slice and parallel_insert_slice


Insertion: TypeAlias = "ops.InsertSliceOp | ops.ParallelInsertSliceOp"


def _insert(op: Operation, source: Value, dest: Value, lists: Sequence[Mixed], rewriter: Rewriter) -> Sequence[Value]:
    """What the insertion made anew gives, of the type that it had."""
    made = create_slice(rewriter, op.name, [source, dest], lists, [dest.type for _ in op.results])
    return with_casts(op, made, rewriter)


def _cast_before(op: Insertion, type: TensorType, rewriter: Rewriter) -> Value:
    """What is put in, cast; before the operation around one that stands among those which end a parallel loop."""
    with rewriter.elsewhere():
        if isinstance(op, ops.ParallelInsertSliceOp) and op.parent_op is not None:
            rewriter.set_insertion_before(op.parent_op)
        return rewriter.create(CAST, [op.source], [type]).result


def known_insertion(op: Insertion, rewriter: Rewriter) -> Replacement:
    """
        %r = tensor.insert_slice %s into %t[0] [%c4] [1] : tensor<?xf32> into tensor<?xf32>
    becomes
        %0 = tensor.cast %s : tensor<?xf32> to tensor<4xf32>
        %r = tensor.insert_slice %0 into %t[0] [4] [1] : tensor<4xf32> into tensor<?xf32>
    """
    source, dest = ranked(op.source.type), ranked(op.dest.type)
    lists = known_slice(*mixed_lists(op), zero_strides=False)
    if source is None or dest is None or lists is None:
        return None
    if not is_inside(dest.ranked_shape, *lists):
        return OUTSIDE
    type = slice_type(dest, lists[1], len(source.ranked_shape))
    value = op.source if type == source else _cast_before(op, type, rewriter)
    return _insert(op, value, op.dest, lists, rewriter)


def insertion_of_cast(op: Insertion, rewriter: Rewriter) -> Replacement:
    """What was cast is put in, or that into which it is put was."""
    part, whole = forgets(op.source), forgets(op.dest)
    if (part is None and whole is None) or any(splat_constant(operand) is not None for operand in op.operands):
        return None
    source = part.source if part is not None else op.source
    dest = whole.source if whole is not None else op.dest
    from_type, to_type = ranked(source.type), ranked(dest.type)
    if from_type is None or to_type is None:
        return None
    offsets, sizes, strides = mixed_lists(op)
    numbers = static(sizes)
    dropped = _dropped(numbers, from_type.ranked_shape)
    if dropped is None:
        return Failure("the sizes do not fit")
    place = 0
    for dim in range(len(numbers)):
        if dim in dropped or place >= len(from_type.ranked_shape) or from_type.ranked_shape[place] == DYNAMIC:
            continue
        sizes[dim] = numbers[dim] = from_type.ranked_shape[place]
        place += 1
    if mistake_in_part(to_type, numbers, from_type) is not None:
        return Failure("the sizes do not fit")
    if not is_inside(to_type.ranked_shape, offsets, sizes, strides):
        return OUTSIDE
    return _insert(op, source, dest, [offsets, sizes, strides], rewriter)


def _dropped(sizes: Sequence[int], kept: Sequence[int]) -> set[int] | None:
    """Which dimensions of 1 a shape leaves out; a size that is not known fits each but 1. None where it does not
    fit."""
    dims: set[int] = set()
    place = 0
    for dim, size in enumerate(sizes):
        is_open = place < len(kept) and size != 1 and DYNAMIC in (kept[place], size)
        if is_open or (place < len(kept) and size == kept[place]):
            place += 1
            continue
        if size != 1:
            return None
        dims.add(dim)
    return dims if place == len(kept) else None


def known_source(op: Insertion, rewriter: Rewriter) -> Replacement:
    """What the sizes say of what is put in, a cast says."""
    source, dest = ranked(op.source.type), ranked(op.dest.type)
    if source is None or dest is None or len(source.ranked_shape) != len(dest.ranked_shape):
        return None
    offsets, sizes, strides = mixed_lists(op)
    shape = list(source.ranked_shape)
    for dim, size in enumerate(sizes):
        number = size if isinstance(size, int) else splat_constant(size)
        if number is not None:
            shape[dim] = number
    if any(size < 0 and size != DYNAMIC for size in shape):
        return Failure("a size is negative")
    type = TensorType(tuple(shape), source.element, source.encoding)
    if type == source or not knows_as_much(type, source) or not have_compatible_shapes(source, type):
        return None
    return _insert(op, _cast_before(op, type, rewriter), op.dest, [offsets, sizes, strides], rewriter)
