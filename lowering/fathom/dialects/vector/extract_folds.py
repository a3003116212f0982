"""What `vector.extract` folds to: what was put at the position, or an extraction from what that was put into.

A position goes back through insertions, transpositions, repetitions, shuffles, slices and other shapes. Positions that
are values of constants become numbers first. Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects.arith.elements import dense, is_poison
from fathom.dialects.vector.common import POISON_INDEX, count_of, indices_of, number_of, rank, vector, vector_type
from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_of
from fathom.ir.types import DYNAMIC, I64, FloatType, IndexType, IntegerType, Type, VectorType
from fathom.irdl.folding import Constants, Folded
from fathom.irdl.index_lists import mixed
from fathom.ops import vector as ops
from fathom.rewriting.insertions import Insertion, before_others
from fathom.rewriting.pattern import defined_by
from fathom.slices import checkpoint

IN_PLACE: Final[Sequence[Value | Attribute]] = ()


def fold_extract(op: ops.ExtractOp, constants: Constants) -> Folded:
    """The rules in the order in which mlir-opt tries them."""
    before, type = op.static_position.values, vector_type(op.source)
    if not before and type == op.result.type:
        return [op.source]
    if constants[0] is not None and is_poison(constants[0]):
        return [constants[0]]
    changed = take_constant_positions(op, 1, constants[1:], type.ranked_shape)
    if POISON_INDEX in before:
        return [poison()]
    attribute = _of_constant(op, type, constants[0])
    if attribute is not None:
        return [attribute]
    position = op.static_position.values
    for rule in (_of_broadcast,) if DYNAMIC in position else RULES:
        folded = rule(op, position)
        if folded is not None:
            return folded
    return IN_PLACE if changed else None


def poison() -> Attribute:
    """`#ub.poison`."""
    from fathom.dialects.ub import POISON  # It brings the reader of descriptions, which few files need.

    return POISON


def take_constant_positions(
    op: ops.ExtractOp | ops.InsertOp, first: int, constants: Constants, shape: Sequence[int]
) -> bool:
    """Makes numbers of positions that are constants and inside of the shape; whether there were any. `first` is the
    first operand that is a position."""
    position = list(op.static_position.values)
    kept: list[Value] = []
    dynamic = iter(zip(op.dynamic_position, constants, strict=True))
    for place, index in enumerate(position):
        if index != DYNAMIC:
            continue
        value, constant = next(dynamic)
        if isinstance(constant, IntegerAttr) and POISON_INDEX <= constant.value < shape[place]:
            position[place] = constant.value
        else:
            kept.append(value)
    if len(kept) == len(op.dynamic_position):
        return False
    op.set_operands([*op.operands[:first], *kept])
    set_position(op, position)
    return True


def set_position(op: ops.ExtractOp | ops.InsertOp, position: Sequence[int]) -> None:
    """Gives an extraction or insertion other numbers."""
    op.properties["static_position"] = DenseArrayAttr(I64, tuple(position))


def _extract_from(op: ops.ExtractOp, source: Value, position: Sequence[int]) -> Folded:
    """Extracts from another vector instead."""
    op.set_operand(0, source)
    set_position(op, position)
    return IN_PLACE


def _of_constant(op: ops.ExtractOp, type: VectorType, constant: Attribute | None) -> Attribute | None:
    """An element or a row of a constant."""
    if not isinstance(constant, DenseElementsAttr) or not constant.values:
        return None
    result, values = op.result.type, constant.values
    position = op.static_position.values
    if not constant.is_splat:
        if type.scalable or DYNAMIC in position:
            return None
        start = number_of(position, type.ranked_shape)
        count = count_of(result) if isinstance(result, VectorType) else 1
        values = values[start : start + count]
    return elements_of(values, result)


def elements_of(values: Sequence[int | tuple[int, int]], type: Type) -> Attribute | None:
    """An attribute of a type with these elements; None where there is none."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) != len(values) or not numbers:
        return None
    match type:
        case VectorType():
            return dense(numbers, type)
        case FloatType():
            return FloatAttr(numbers[0], type)
        case IntegerType() | IndexType():
            return IntegerAttr(numbers[0], type)
        case _:
            return None


def _of_extract(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Of an extraction: one extraction by both positions."""
    whole, source = list(position), op.source
    while (inner := defined_by(source, ops.ExtractOp)) is not None:
        outer = inner.static_position.values
        if DYNAMIC in outer:
            return None
        whole[:0] = outer
        source = inner.source
    return _extract_from(op, source, whole) if source is not op.source else None


INSERTION: Final = Insertion("vector.insert", 1, "static_position")


def _of_insertions(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Goes back through insertions and transpositions. Dimensions that stay are negative numbers at the end of the
    position; they must come out in order."""
    source = op.source
    kept = [-(i + 1) for i in range(rank(source.type) - len(position))]
    place = [*position, *kept]
    count = len(position)
    while (inner := source.defining_op) is not None:
        checkpoint()
        if isinstance(inner, ops.TransposeOp):
            moved = list(place)
            for to, by in enumerate(inner.permutation.values):
                moved[by] = place[to]
            place, source = moved, inner.vector
            continue
        if not isinstance(inner, ops.InsertOp):
            break
        before = before_others(INSERTION, source, place)
        if before is not source:
            source = before
            continue
        inserted = list(inner.static_position.values)
        is_static = DYNAMIC not in inserted
        if is_static and inserted == place[:count] and place[count:] == kept:
            return [inner.valueToStore]
        if is_static and inserted == place[: len(inserted)]:
            return _in_order(op, inner.valueToStore, place[len(inserted) :], kept)
        return None
    return _in_order(op, source, place, kept)


def _in_order(op: ops.ExtractOp, source: Value, place: Sequence[int], kept: Sequence[int]) -> Folded:
    count = len(place) - len(kept)
    if source is op.source or place[count:] != kept:
        return None
    return _extract_from(op, source, place[:count])


def repeated_by(op: Operation | None) -> Value | None:
    """What an operation repeats, or puts dimensions of 1 before; None for another operation."""
    if isinstance(op, ops.BroadcastOp):
        return op.source
    if not isinstance(op, ops.ShapeCastOp):
        return None
    before, after = vector_type(op.source), vector_type(op.result)
    lead = rank(after) - rank(before)
    return op.source if lead >= 0 and after.ranked_shape[lead:] == before.ranked_shape else None


def _of_broadcast(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Of what repeats a vector: of that vector, or it."""
    repeated, result = repeated_by(op.source.defining_op), op.result.type
    if repeated is None:
        return None
    if repeated.type == result:
        return [repeated]
    source, before, after = vector(repeated.type), rank(repeated.type), rank(result)
    if after > before or source is None:
        return None
    if isinstance(result, VectorType) and result.ranked_shape != source.ranked_shape[before - after :]:
        return None
    lead = rank(op.source.type) - before
    known = mixed(op.static_position, op.dynamic_position)
    chosen = [0 if source.ranked_shape[i] == 1 else known[i + lead] for i in range(before - after)]
    op.set_operands([repeated, *(index for index in chosen if isinstance(index, Value))])
    set_position(op, [index if isinstance(index, int) else DYNAMIC for index in chosen])
    return IN_PLACE


def _of_shuffle(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Of a shuffle of vectors of one dimension: of one of them."""
    inner = defined_by(op.source, ops.ShuffleOp)
    if inner is None or rank(inner.result.type) != 1 or not vector_type(inner.v1).shape:
        return None
    chosen, count = inner.mask.values[position[0]], vector_type(inner.v1).ranked_shape[0]
    return _extract_from(op, inner.v1, [chosen]) if chosen < count else _extract_from(op, inner.v2, [chosen - count])


def _of_shape_cast(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Of another shape: at the position where the same elements stand in the shape before."""
    inner, result = defined_by(op.source, ops.ShapeCastOp), op.result.type
    if inner is None:
        return None
    before, after = vector_type(inner.source), vector_type(inner.result)
    kept = result.ranked_shape if isinstance(result, VectorType) else ()
    lead = rank(before) - len(kept)
    if lead < 0 or before.ranked_shape[lead:] != kept:
        return None
    number = number_of(position, after.ranked_shape[: rank(after) - len(kept)])
    return _extract_from(op, inner.source, indices_of(number, before.ranked_shape[:lead]))


def _of_slice(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Of a slice: of what was sliced, further on."""
    inner = defined_by(op.source, ops.ExtractStridedSliceOp)
    if inner is None:
        return None
    sliced, whole, offsets = vector_type(inner.result), vector_type(inner.source), numbers_of(inner.offsets)
    while offsets and not offsets[-1] and sliced.ranked_shape[len(offsets) - 1] == whole.ranked_shape[len(offsets) - 1]:
        offsets.pop()
    if rank(op.result.type) > rank(whole) - len(offsets):
        return None
    moved = [index + (offsets[i] if i < len(offsets) else 0) for i, index in enumerate(position)]
    return _extract_from(op, inner.source, moved)


def _of_inserted_slices(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Of what a slice was put into: of the slice, if it covers what is extracted; else of what is around it."""
    inner, kept = defined_by(op.source, ops.InsertStridedSliceOp), rank(op.result.type)
    while inner is not None:
        part, whole, offsets = vector_type(inner.valueToStore), vector_type(inner.dest), numbers_of(inner.offsets)
        if kept > rank(part):
            return None
        lead = rank(whole) - rank(part)
        inside = [
            start <= index < start + (1 if dim < lead else part.ranked_shape[dim - lead])
            for dim, (start, index) in enumerate(zip(offsets, position, strict=False))
        ]
        if all(inside):
            if part.ranked_shape[rank(part) - kept :] != whole.ranked_shape[rank(whole) - kept :]:
                return None
            moved = [index - start for start, index in zip(offsets, position, strict=False)][lead:]
            return _extract_from(op, inner.valueToStore, moved)
        inner = defined_by(inner.dest, ops.InsertStridedSliceOp)
    return None


def _of_elements(op: ops.ExtractOp, position: Sequence[int]) -> Folded:
    """Of elements that a vector was made of: one of them."""
    inner = defined_by(op.source, ops.FromElementsOp)
    if inner is None:
        return None
    type = vector_type(inner.dest)
    if type.scalable or op.result.type != type.element or len(position) != rank(type):
        return None
    return [inner.elements[number_of(position, type.ranked_shape)]]


RULES: Final = (
    _of_extract,
    _of_insertions,
    _of_broadcast,
    _of_shuffle,
    _of_shape_cast,
    _of_slice,
    _of_inserted_slices,
    _of_elements,
)
"""For a position of numbers, in the order in which mlir-opt tries them."""
