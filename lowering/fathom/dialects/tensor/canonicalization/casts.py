"""The canonicalisation of casts of tensors: they join, go into what makes or takes the tensor, or come out of it.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.tensor.canonicalization.building import (
    cast_for,
    cloned,
    with_casts,
    with_known_sizes,
)
from fathom.dialects.tensor.casts import CAST, knows_as_much, learns, ranked, uncast
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, MemRefType, TensorType
from fathom.irdl.destinations import destinations
from fathom.irdl.interfaces import LoopLike
from fathom.irdl.slices import mixed_list
from fathom.ops import tensor as ops
from fathom.rewriting.pattern import Failure, Operations, Replacement, defined_by
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.slicing import create_slice


def cast_of_cast(op: ops.CastOp, rewriter: Rewriter) -> Replacement:
    """The last of two, unless the one between them checks a size that the others leave open."""
    inner = defined_by(op.source, ops.CastOp)
    if inner is None:
        return None
    source, between, result = inner.source.type, inner.result.type, op.result.type
    if not all(isinstance(type_, TensorType) for type_ in (source, between, result)):
        return None
    assert isinstance(source, TensorType) and isinstance(between, TensorType) and isinstance(result, TensorType)
    first = _joined(source, between)
    all_three = _joined(first, result) if first is not None else None
    if all_three is None or all_three != _joined(source, result):
        return Failure("the cast in between says more of the shape")
    return rewriter.create(CAST, inner.operands, [result])


def _joined(one: TensorType, other: TensorType) -> TensorType | None:
    """What both types know of a shape; None where they disagree."""
    if one.shape is None:
        return other
    if other.shape is None:
        return one
    if len(one.shape) != len(other.shape):
        return None
    pairs = list(zip(one.shape, other.shape, strict=True))
    if any(a != b and DYNAMIC not in (a, b) for a, b in pairs):
        return None
    return TensorType(tuple(b if a == DYNAMIC else a for a, b in pairs), one.element)


def cast_of_slice(op: ops.CastOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = tensor.extract_slice %t[%o, 0] [%s, 512] [1, 1] : tensor<128x512xf32> to tensor<?x512xf32>
        %r = tensor.cast %0 : tensor<?x512xf32> to tensor<16x512xf32>
    becomes
        %r = tensor.extract_slice %t[%o, 0] [16, 512] [1, 1] : tensor<128x512xf32> to tensor<16x512xf32>
    """
    slice, type, part = defined_by(op.source, ops.ExtractSliceOp), ranked(op.result.type), op.source.type
    if slice is None or type is None or not learns(op):
        return None
    if isinstance(part, TensorType) and part.shape == type.shape:
        return None
    before = ranked(part)
    assert before is not None, "a slice has a rank"
    sizes, place = mixed_list(slice, "sizes"), 0
    for dim, size in enumerate(sizes):
        shown = before.ranked_shape[place] if place < len(before.ranked_shape) else None
        if (size if isinstance(size, int) else DYNAMIC) != shown:
            continue
        extent = type.ranked_shape[place]
        place += 1
        if extent != DYNAMIC:
            sizes[dim] = extent
    lists = [mixed_list(slice, "offsets"), sizes, mixed_list(slice, "strides")]
    return create_slice(rewriter, slice.name, [slice.source], lists, [type])


def cast_of_empty(op: ops.CastOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = tensor.empty(%m, %n) : tensor<?x?xf32>
        %r = tensor.cast %0 : tensor<?x?xf32> to tensor<4x?xf32>
    becomes
        %r = tensor.empty(%n) : tensor<4x?xf32>
    """
    empty, type = defined_by(op.source, ops.EmptyOp), ranked(op.result.type)
    before = ranked(op.source.type)
    if empty is None or type is None or before is None or not learns(op):
        return None
    sizes = iter(empty.operands)
    rest: list[Value] = []
    for old, new in zip(before.ranked_shape, type.ranked_shape, strict=True):
        if old == DYNAMIC:
            size = next(sizes)
            if new == DYNAMIC:
                rest.append(size)
        elif old != new:
            return Failure("the sizes differ")
    return rewriter.create(empty.name, rest, [TensorType(type.shape, type.element)])


def known_empty(op: ops.EmptyOp, rewriter: Rewriter) -> Replacement:
    """
        %r = tensor.empty(%n, %c5) : tensor<?x?xf32>
    becomes
        %0 = tensor.empty(%n) : tensor<?x5xf32>
        %r = tensor.cast %0 : tensor<?x5xf32> to tensor<?x?xf32>
    """
    known_sizes = with_known_sizes(op.result.type, op.dynamicSizes)
    if known_sizes is None:
        return None
    known, rest = known_sizes
    return cast_for(op, rewriter.create(op.name, rest, [known]).result, rewriter)


# ---- concat


def concat_of_one(op: ops.ConcatOp, rewriter: Rewriter) -> Replacement:
    """One tensor of another type is a cast."""
    return cast_for(op, op.inputs[0], rewriter) if len(op.inputs) == 1 else None


def concatenated(op: ops.ConcatOp, values: Sequence[Value]) -> TensorType | None:
    """The type of a concatenation that follows from those of values."""
    types = [ranked(operand.type) for operand in values]
    known = [type for type in types if type is not None]
    if not known or len(known) != len(types):
        return None
    shape: list[int] = []
    for place, sizes in enumerate(zip(*(type.ranked_shape for type in known), strict=True)):
        if place == op.dim.value:
            shape.append(DYNAMIC if DYNAMIC in sizes else sum(sizes))
        else:
            shape.append(next((size for size in sizes if size != DYNAMIC), DYNAMIC))
    return TensorType(tuple(shape), known[0].element)


def concat_operands(op: ops.ConcatOp, rewriter: Rewriter) -> Replacement:
    """What the shape of one operand says of the others, casts say."""
    inferred, dim, changed = concatenated(op, op.operands), op.dim.value, False
    if inferred is None:
        return None
    for number, operand in enumerate(list(op.operands)):
        before = ranked(operand.type)
        assert before is not None, "all have a rank"
        shape = (*inferred.ranked_shape[:dim], before.ranked_shape[dim], *inferred.ranked_shape[dim + 1 :])
        type = TensorType(shape, inferred.element)
        if knows_as_much(before, type):
            continue
        cast = rewriter.create(CAST, [operand], [type]).result
        rewriter.modify(op, lambda number=number, cast=cast: op.set_operand(number, cast))
        changed = True
    return op if changed else None


def concat_result(op: ops.ConcatOp, rewriter: Rewriter) -> Replacement:
    """What the shapes of the operands say of the result, its type says."""
    tensor_type = concatenated(op, op.operands)
    if tensor_type is None or knows_as_much(op.result.type, tensor_type):
        return None
    return cast_for(op, rewriter.create(op.name, op.operands, [tensor_type], {"dim": op.dim}).result, rewriter)


# ---- operations with destinations


HAVE_THEIR_OWN: Final = Operations("linalg.pack", "linalg.unpack", "tensor.insert_slice")
"""Those that have patterns of their own, since a size may say how the tensor is laid out."""


def cast_into_consumer(op: Operation, rewriter: Rewriter) -> Replacement:
    """
        %1 = tensor.cast %0 : tensor<8x16xf32> to tensor<?x?xf32>
        %r = linalg.fill ins(%f : f32) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
    becomes
        %2 = linalg.fill ins(%f : f32) outs(%0 : tensor<8x16xf32>) -> tensor<8x16xf32>
        %r = tensor.cast %2 : tensor<8x16xf32> to tensor<?x?xf32>
    """
    if op in HAVE_THEIR_OWN or op.interface(LoopLike) is not None:
        return Failure("it has a pattern of its own")
    given = uncast(op)
    if given is None:
        return Failure("no operand comes from a 'tensor.cast' that only forgets sizes")
    types = [result.type for result in op.results]
    written = [given[place].type for place in destinations(op)]
    for number, type in enumerate(type for type in written if not isinstance(type, MemRefType)):
        types[number] = type
    return with_casts(op, cloned(rewriter, op, given, types), rewriter)
