"""Vectors that are repeated, or seen in another shape, as extractions and insertions.

Source of the rules: *'vector' Dialect*, `vector.broadcast` and `vector.shape_cast`, and what mlir-opt 22 makes of them.
"""

from __future__ import annotations

from math import gcd, prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import count_of, flags, rank, vector_of, vector_type, without_first
from fathom.ir.attributes import i64_attr
from fathom.ir.types import VectorType
from fathom.ops.vector import BroadcastOp, ShapeCastOp
from fathom.passes.vectors.building import SCALABLE, broadcast, extract, extract_slice, insert, insert_slice, poison
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.pattern import Failure, Pattern
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def repeat(op: BroadcastOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A vector that is repeated, one dimension after the other, until what is repeated is a scalar.

        %0 = vector.broadcast %v : vector<2xf32> to vector<3x2xf32>
    ->
        %p = ub.poison : vector<3x2xf32>
        %1 = vector.insert %v, %p [0]
        %2 = vector.insert %v, %1 [1]
        %0 = vector.insert %v, %2 [2]
    """
    (value,) = op.operands
    source, result = value.type, vector_type(op.result)
    if not isinstance(source, VectorType):
        return Failure("a scalar that is repeated is simple enough")
    dimensions, count = rank(result), result.ranked_shape[0] if result.shape else 1
    if rank(source) <= 1 and dimensions == 1:
        scalar = extract(rewriter, value, *[0] * rank(source))
        rewriter.replace(op, [broadcast(rewriter, scalar, result)])
        return None
    if (refused := too_many_operations(op, 3 * count, 3 * prod(result.ranked_shape[:-1]))) is not None:
        return refused
    inner = without_first(result, 1)
    if rank(source) < dimensions:
        row = broadcast(rewriter, value, inner)
        made = poison(rewriter, result)
        for number in range(count):
            made = insert(rewriter, row, made, number)
        rewriter.replace(op, [made])
        return None
    differs = next((i for i in range(dimensions) if source.ranked_shape[i] != result.ranked_shape[i]), None)
    if differs is None:
        rewriter.replace(op, [value])
        return None
    if differs and flags(result)[0]:
        return SCALABLE
    made = poison(rewriter, result)
    row = broadcast(rewriter, extract(rewriter, value, 0), inner) if not differs else None
    for number in range(count):
        part = row or broadcast(rewriter, extract(rewriter, value, number), inner)
        made = insert(rewriter, part, made, number)
    rewriter.replace(op, [made])
    return None


# ---- another shape


def reshape(op: ShapeCastOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The same elements in another shape: the greatest parts that stay together are moved one by one.

        %0 = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
    ->
        %p = ub.poison : vector<8xf32>
        %1 = vector.extract %v[0]
        %2 = vector.insert_strided_slice %1, %p {offsets = [0], strides = [1]}
        %3 = vector.extract %v[1]
        %0 = vector.insert_strided_slice %3, %2 {offsets = [4], strides = [1]}
    """
    value = op.source
    source, result = vector_type(value), vector_type(op.result)
    if source.scalable or result.scalable:
        return SCALABLE
    from_shape, to_shape = source.ranked_shape, result.ranked_shape
    from_dim, to_dim = len(from_shape) - 1, len(to_shape) - 1
    while from_dim >= 0 and to_dim >= 0 and from_shape[from_dim] == to_shape[to_dim]:
        from_dim, to_dim = from_dim - 1, to_dim - 1
    if from_dim < 0 or to_dim < 0:
        # One is the other with dimensions of 1 before it.
        undefined = poison(rewriter, result)
        part = extract(rewriter, value, *[0] * max(len(from_shape) - len(to_shape), 0))
        whole = insert(rewriter, part, undefined, *[0] * max(len(to_shape) - len(from_shape), 0))
        rewriter.replace(op, [whole])
        return None
    together = gcd(from_shape[from_dim], to_shape[to_dim])
    if together == 1:
        return _move_parts(op, rewriter, from_dim + 1, to_dim + 1)
    return _move_slices(op, rewriter, from_dim, to_dim, together)


def _move_parts(op: Operation, rewriter: Rewriter, from_dim: int, to_dim: int) -> Failure | None:
    """What stands at a position of `from_dim` numbers goes as a whole to one of `to_dim` numbers."""
    value, result = op.operands[0], vector_type(op.result)
    from_shape, to_shape = vector_type(value).ranked_shape[:from_dim], result.ranked_shape[:to_dim]
    if (refused := too_many_operations(op, 2 * prod(from_shape))) is not None:
        return refused
    made = poison(rewriter, result)
    from_place, to_place = [0] * from_dim, [0] * to_dim
    for _ in range(prod(from_shape)):
        checkpoint()
        made = insert(rewriter, extract(rewriter, value, *from_place), made, *to_place)
        _advance(from_place, from_shape)
        _advance(to_place, to_shape)
    rewriter.replace(op, [made])
    return None


def _move_slices(op: Operation, rewriter: Rewriter, from_dim: int, to_dim: int, together: int) -> Failure | None:
    """So many rows go together: slices of what stands at a position of `from_dim` numbers."""
    value, result = op.operands[0], vector_type(op.result)
    from_shape, to_shape = vector_type(value).ranked_shape, result.ranked_shape
    shape = [together, *from_shape[from_dim + 1 :]]
    slices = count_of(result) // prod(shape)
    if (refused := too_many_operations(op, 4 * slices)) is not None:
        return refused
    from_period, to_period = from_shape[from_dim] // together, to_shape[to_dim] // together
    made = poison(rewriter, result)
    unfilled = poison(rewriter, vector_of(to_shape[to_dim:], result.element))
    from_place, to_place = [0] * from_dim, [0] * to_dim
    offsets = [0] * (len(shape) - 1)
    part, row = value, unfilled
    for number in range(slices):
        checkpoint()
        if number % from_period == 0:
            part = extract(rewriter, value, *from_place)
            _advance(from_place, from_shape[:from_dim])
        taken = extract_slice(rewriter, part, [number % from_period * together, *offsets], shape)
        if number % to_period == 0:
            row = unfilled
        row = insert_slice(rewriter, taken, row, [number % to_period * together, *offsets])
        if number % to_period == to_period - 1:
            made = insert(rewriter, row, made, *to_place)
            _advance(to_place, to_shape[:to_dim])
    rewriter.replace(op, [made])
    return None


def _advance(place: list[int], shape: Sequence[int], by: int = 1) -> None:
    """Moves a position on, by so many elements of the last dimension."""
    for dim in reversed(range(len(place))):
        by, place[dim] = divmod(place[dim] + by, shape[dim])
        if by == 0:
            return


def reshape_scalable(op: ShapeCastOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Vectors whose last dimension alone is scalable: scalable parts are moved one by one."""
    value = op.source
    source, result = vector_type(value), vector_type(op.result)
    if not _is_last_scalable(source) or not _is_last_scalable(result):
        return Failure("only the last dimension may be scalable")
    from_last, to_last = source.ranked_shape[-1], result.ranked_shape[-1]
    size = min(from_last, to_last)
    if (refused := too_many_operations(op, 4 * (count_of(source) // size))) is not None:
        return refused
    part_type = vector_of([size], source.element, [True])
    made = poison(rewriter, result)
    from_place, to_place = [0] * rank(source), [0] * rank(result)
    taken: Value | None = None
    filled: Value | None = None
    for _ in range(0, count_of(source), size):
        checkpoint()
        if taken is None:
            taken = extract(rewriter, value, *from_place[:-1]) if rank(source) != 1 else value
        part = taken
        if size < from_last:
            position = {"pos": i64_attr(from_place[-1])}
            part = rewriter.create("vector.scalable.extract", [part], [part_type], position).result
        if filled is None:
            if size == to_last:
                filled = part
            elif rank(result) != 1:
                filled = extract(rewriter, made, *to_place[:-1])
            else:
                filled = made
        if size < to_last:
            position = {"pos": i64_attr(to_place[-1])}
            filled = rewriter.create("vector.scalable.insert", [part, filled], [filled.type], position).result
        if to_place[-1] + size >= to_last and filled is not made:
            made = insert(rewriter, filled, made, *to_place[:-1])
            filled = None
        if from_place[-1] + size >= from_last:
            taken = None
        _advance(from_place, source.ranked_shape, size)
        _advance(to_place, result.ranked_shape, size)
    rewriter.replace(op, [made])
    return None


def _is_last_scalable(type: VectorType) -> bool:
    scalable = flags(type)
    return bool(scalable) and scalable[-1] and not any(scalable[:-1])


BROADCAST: Final = Pattern("vector.broadcast", repeat, name="BroadcastOpLowering")
SHAPE_CAST: Final = (
    Pattern("vector.shape_cast", reshape, name="ShapeCastOpRewritePattern"),
    Pattern("vector.shape_cast", reshape_scalable, name="ScalableShapeCastOpRewritePattern"),
)
