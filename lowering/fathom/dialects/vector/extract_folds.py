"""What `vector.extract` folds to: what was put at the position, or an extraction from what that was put into.

A position goes back through insertions, transpositions, repetitions, shuffles, slices and other shapes. Positions that
are values of constants become numbers first. Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from fathom.dialects.arith.elements import dense, is_poison
from fathom.dialects.vector.common import POISON_INDEX, count_of, numbers_of, rank, vector
from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, I64, FloatType, IndexType, IntegerType, Type, VectorType
from fathom.irdl.folding import Constants, Folded
from fathom.rewriting.insertions import Insertion, before_others
from fathom.slices import checkpoint

IN_PLACE: Sequence[Value | Attribute] = ()


def fold_extract(op: Operation, constants: Constants) -> Folded:
    """The rules in the order in which mlir-opt tries them."""
    source, type = op.operands[0], vector(op.operands[0].type)
    before = numbers_of(op, "static_position")
    if type is None:
        return None
    if not before and source.type == op.result.type:
        return [source]
    if constants[0] is not None and is_poison(constants[0]):
        return [constants[0]]
    changed = take_constant_positions(op, 1, constants[1:], type.ranked_shape)
    if POISON_INDEX in before:
        return [poison()]
    found = _of_constant(op, type, constants[0])
    if found is not None:
        return [found]
    position = numbers_of(op, "static_position")
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
    op: Operation, first: int, constants: Sequence[Attribute | None], shape: Sequence[int]
) -> bool:
    """Makes numbers of positions that are constants and inside of the shape; whether there were any. `first` is the
    first operand that is a position."""
    position = numbers_of(op, "static_position")
    kept: list[Value] = []
    dynamic = iter(zip(op.operands[first:], constants, strict=True))
    for place, each in enumerate(position):
        if each != DYNAMIC:
            continue
        value, constant = next(dynamic)
        if isinstance(constant, IntegerAttr) and POISON_INDEX <= constant.value < shape[place]:
            position[place] = constant.value
        else:
            kept.append(value)
    if first + len(kept) == len(op.operands):
        return False
    op.set_operands([*op.operands[:first], *kept])
    set_position(op, position)
    return True


def set_position(op: Operation, position: Sequence[int]) -> None:
    """Gives an extraction or insertion other numbers."""
    op.properties["static_position"] = DenseArrayAttr(I64, tuple(position))


def _extract_from(op: Operation, source: Value, position: Sequence[int]) -> Folded:
    """Extracts from another vector instead."""
    op.set_operand(0, source)
    set_position(op, position)
    return IN_PLACE


def linear(position: Sequence[int], shape: Sequence[int]) -> int:
    """The number of an element in row-major order; missing positions are 0."""
    number = 0
    for place, extent in enumerate(shape):
        number = number * extent + (position[place] if place < len(position) else 0)
    return number


def _of_constant(op: Operation, type: VectorType, constant: Attribute | None) -> Attribute | None:
    """An element or a row of a constant."""
    if not isinstance(constant, DenseElementsAttr) or not constant.values:
        return None
    result, values = op.result.type, constant.values
    position = numbers_of(op, "static_position")
    if not constant.is_splat:
        if type.scalable or DYNAMIC in position:
            return None
        start = linear(position, type.ranked_shape)
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


def _of_extract(op: Operation, position: Sequence[int]) -> Folded:
    """Of an extraction: one extraction by both positions."""
    whole = list(position)
    source = op.operands[0]
    while (inner := source.defining_op) is not None and inner.name == op.name:
        outer = numbers_of(inner, "static_position")
        if DYNAMIC in outer:
            return None
        whole[:0] = outer
        source = inner.operands[0]
    return _extract_from(op, source, whole) if source is not op.operands[0] else None


INSERTION: Final = Insertion("vector.insert", 1, "static_position")


def _of_insertions(op: Operation, position: Sequence[int]) -> Folded:
    """Goes back through insertions and transpositions. Dimensions that stay are negative numbers at the end of the
    position; they must come out in order."""
    source = op.operands[0]
    kept = [-(i + 1) for i in range(rank(source.type) - len(position))]
    place = [*position, *kept]
    count = len(position)
    while (inner := source.defining_op) is not None:
        checkpoint()
        if inner.name == "vector.transpose":
            moved = list(place)
            for to, by in enumerate(numbers_of(inner, "permutation")):
                moved[by] = place[to]
            place, source = moved, inner.operands[0]
            continue
        if inner.name != INSERTION.name:
            break
        before = before_others(INSERTION, source, place)
        if before is not source:
            source = before
            continue
        inserted = numbers_of(inner, "static_position")
        is_static = DYNAMIC not in inserted
        if is_static and inserted == place[:count] and place[count:] == kept:
            return [inner.operands[0]]
        if is_static and inserted == place[: len(inserted)]:
            place = place[len(inserted) :]
            return _in_order(op, inner.operands[0], place, kept)
        return None
    return _in_order(op, source, place, kept)


def _in_order(op: Operation, source: Value, place: Sequence[int], kept: Sequence[int]) -> Folded:
    count = len(place) - len(kept)
    if source is op.operands[0] or place[count:] != kept:
        return None
    return _extract_from(op, source, place[:count])


def is_broadcast_like(op: Operation | None) -> bool:
    """Whether an operation repeats its operand, or puts dimensions of 1 before it."""
    if op is None or op.name == "vector.broadcast":
        return op is not None
    if op.name != "vector.shape_cast":
        return False
    before, after = vector(op.operands[0].type), vector(op.result.type)
    if before is None or after is None or rank(after) < rank(before):
        return False
    return after.ranked_shape[rank(after) - rank(before) :] == before.ranked_shape


def _of_broadcast(op: Operation, position: Sequence[int]) -> Folded:
    """Of what repeats a vector: of that vector, or it."""
    inner = op.operands[0].defining_op
    if inner is None or not is_broadcast_like(inner):
        return None
    repeated, result = inner.operands[0], op.result.type
    if repeated.type == result:
        return [repeated]
    source, before, after = vector(repeated.type), rank(repeated.type), rank(result)
    if after > before or source is None:
        return None
    if isinstance(result, VectorType) and result.ranked_shape != source.ranked_shape[before - after :]:
        return None
    lead = rank(op.operands[0].type) - before
    dynamic = iter(op.operands[1:])
    mixed = [next(dynamic) if each == DYNAMIC else each for each in position]
    chosen = [0 if source.ranked_shape[i] == 1 else mixed[i + lead] for i in range(before - after)]
    op.set_operands([repeated, *(each for each in chosen if isinstance(each, Value))])
    set_position(op, [each if isinstance(each, int) else DYNAMIC for each in chosen])
    return IN_PLACE


def _of_shuffle(op: Operation, position: Sequence[int]) -> Folded:
    """Of a shuffle of vectors of one dimension: of one of them."""
    inner = op.operands[0].defining_op
    if inner is None or inner.name != "vector.shuffle" or rank(inner.result.type) != 1:
        return None
    first = vector(inner.operands[0].type)
    if first is None or not first.shape:
        return None
    chosen = numbers_of(inner, "mask")[position[0]]
    if chosen < first.ranked_shape[0]:
        return _extract_from(op, inner.operands[0], [chosen])
    return _extract_from(op, inner.operands[1], [chosen - first.ranked_shape[0]])


def _of_shape_cast(op: Operation, position: Sequence[int]) -> Folded:
    """Of another shape: at the position where the same elements stand in the shape before."""
    inner = op.operands[0].defining_op
    if inner is None or inner.name != "vector.shape_cast":
        return None
    before, after = vector(inner.operands[0].type), vector(inner.result.type)
    if before is None or after is None:
        return None
    result = op.result.type
    kept = result.ranked_shape if isinstance(result, VectorType) else ()
    lead = rank(before) - len(kept)
    if lead < 0 or before.ranked_shape[lead:] != kept:
        return None
    number = linear(position, after.ranked_shape[: rank(after) - len(kept)])
    place: list[int] = []
    for extent in reversed(before.ranked_shape[:lead]):
        number, rest = divmod(number, extent)
        place.insert(0, rest)
    return _extract_from(op, inner.operands[0], place)


def _of_slice(op: Operation, position: Sequence[int]) -> Folded:
    """Of a slice: of what was sliced, further on."""
    inner = op.operands[0].defining_op
    if inner is None or inner.name != "vector.extract_strided_slice":
        return None
    sliced, whole = vector(inner.result.type), vector(inner.operands[0].type)
    if sliced is None or whole is None:
        return None
    offsets = numbers_of(inner, "offsets")
    while offsets and not offsets[-1] and sliced.ranked_shape[len(offsets) - 1] == whole.ranked_shape[len(offsets) - 1]:
        offsets.pop()
    if rank(op.result.type) > rank(whole) - len(offsets):
        return None
    moved = [each + (offsets[i] if i < len(offsets) else 0) for i, each in enumerate(position)]
    return _extract_from(op, inner.operands[0], moved)


def _of_inserted_slices(op: Operation, position: Sequence[int]) -> Folded:
    """Of what a slice was put into: of the slice, if it covers what is extracted; else of what is around it."""
    inner = op.operands[0].defining_op
    kept = rank(op.result.type)
    while inner is not None and inner.name == "vector.insert_strided_slice":
        part, whole = vector(inner.operands[0].type), vector(inner.operands[1].type)
        if part is None or whole is None or kept > rank(part):
            return None
        lead = rank(whole) - rank(part)
        offsets = numbers_of(inner, "offsets")
        inside = [
            start <= each < start + (1 if dim < lead else part.ranked_shape[dim - lead])
            for dim, (start, each) in enumerate(zip(offsets, position, strict=False))
        ]
        if all(inside):
            if part.ranked_shape[rank(part) - kept :] != whole.ranked_shape[rank(whole) - kept :]:
                return None
            moved = [each - start for start, each in zip(offsets, position, strict=False)][lead:]
            return _extract_from(op, inner.operands[0], moved)
        inner = inner.operands[1].defining_op
    return None


def _of_elements(op: Operation, position: Sequence[int]) -> Folded:
    """Of elements that a vector was made of: one of them."""
    inner = op.operands[0].defining_op
    if inner is None or inner.name != "vector.from_elements":
        return None
    type = vector(inner.result.type)
    if type is None or type.scalable or op.result.type != type.element or len(position) != rank(type):
        return None
    assert prod(type.ranked_shape) == len(inner.operands), "a vector has a value for each element"
    return [inner.operands[linear(position, type.ranked_shape)]]


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
