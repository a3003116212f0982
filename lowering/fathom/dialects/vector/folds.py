"""What operations on vectors fold to, but for extractions (`extract_folds`).

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.budget import refuse_elements
from fathom.dialects.arith.elements import as_unsigned, dense, is_poison, normal, width_of
from fathom.dialects.arith.folds import materialize_constant
from fathom.dialects.memref.common import fold_casts
from fathom.dialects.vector.common import (
    POISON_INDEX,
    can_broadcast,
    count_of,
    flags,
    indices_of,
    number_of,
    rank,
    vector,
    vector_type,
)
from fathom.dialects.vector.extract_folds import (
    IN_PLACE,
    elements_of,
    fold_extract,
    poison,
    take_constant_positions,
)
from fathom.dialects.vector.memory_folds import fold_mask, fold_read, fold_write
from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, FloatAttr, IntegerAttr, i64_attr
from fathom.ir.operation import Value
from fathom.ir.property_values import numbers_of
from fathom.ir.types import DYNAMIC, I1, FloatType, IndexType, IntegerType, VectorType
from fathom.irdl.folding import Constants, Fold, Folded, one
from fathom.ops import vector as ops
from fathom.rewriting.pattern import defined_by

MOST_FOLDED = 256
"""The elements of a constant into which others are put, if it has other users."""


# ---- insertions


def fold_insert(op: ops.InsertOp, constants: Constants) -> Folded:
    """All of a vector; the last of two insertions at one place; an insertion of a constant into a constant."""
    before, type = op.static_position.values, vector_type(op.dest)
    if not before and op.valueToStore.type == type:
        return [op.valueToStore]
    changed = take_constant_positions(op, 2, constants[2:], type.ranked_shape)
    inner = defined_by(op.dest, ops.InsertOp)
    if (
        inner is not None
        and inner.static_position == op.static_position
        and inner.dynamic_position == op.dynamic_position
    ):
        op.set_operand(1, inner.dest)
        return IN_PLACE
    if POISON_INDEX in before:
        return [poison()]
    made = _with_constant(op, type, constants[0], constants[1])
    return [made] if made is not None else IN_PLACE if changed else None


def _with_constant(
    op: ops.InsertOp, type: VectorType, value: Attribute | None, dest: Attribute | None
) -> Attribute | None:
    position = op.static_position.values
    if DYNAMIC in position or not isinstance(dest, DenseElementsAttr) or type.scalable:
        return None
    if count_of(type) > MOST_FOLDED and (not _has_one_use(op.result) or refuse_elements(op, count_of(type))):
        return None
    source = vector(op.valueToStore.type)
    stored = _values(value, count_of(source) if source is not None else 1)
    values = _values(dest, count_of(type))
    if stored is None or values is None:
        return None
    start = number_of(position, type.ranked_shape)
    values[start : start + len(stored)] = [normal(number, type.element) for number in stored]
    return dense(values, type)


def _has_one_use(value: Value) -> bool:
    return sum(operand is value for user in value.uses for operand in user.operands) == 1


def _values(attribute: Attribute | None, count: int) -> list[int] | None:
    """The elements of a constant, one by one."""
    match attribute:
        case IntegerAttr(value):
            return [value] * count
        case FloatAttr(bits):
            return [bits] * count
        case DenseElementsAttr(values):
            numbers = [value for value in values if isinstance(value, int)]
            if len(numbers) != len(values):
                return None
            return numbers * count if attribute.is_splat else numbers
        case _:
            return None


# ---- shapes


def fold_broadcast(op: ops.BroadcastOp, constants: Constants) -> Folded:
    """What is repeated not at all; what is repeated in another shape that only has dimensions of 1 more; a constant."""
    type = vector_type(op.result)
    if op.source.type == type:
        return [op.source]
    inner = defined_by(op.source, ops.ShapeCastOp)
    if inner is not None and _is_same_broadcast(inner, type):
        op.set_operand(0, inner.source)
        return IN_PLACE
    match constants[0]:
        case IntegerAttr(value, element) if element == type.element:
            return [dense([value], type)]
        case FloatAttr(bits, element) if element == type.element:
            return [dense([bits], type)]
        case DenseElementsAttr() as constant if constant.is_splat:
            return one(elements_of(constant.values, type))
        case constant if is_poison(constant):
            return [poison()]
        case _:
            return None


def _is_same_broadcast(cast: ops.ShapeCastOp, type: VectorType) -> bool:
    """Whether what got or lost leading dimensions of 1 is repeated to the same vector without that."""
    before, after = vector_type(cast.source), vector_type(cast.result)
    if not can_broadcast(before, type):
        return False
    common = min(rank(before), rank(after))
    return before.ranked_shape[rank(before) - common :] == after.ranked_shape[rank(after) - common :]


def keeps_order(transpose: ops.TransposeOp) -> bool:
    """Whether a transposition only moves dimensions of 1."""
    type = vector_type(transpose.vector)
    units = [size == 1 and not scalable for size, scalable in zip(type.ranked_shape, flags(type), strict=True)]
    moved = [dim for dim in transpose.permutation.values if not units[dim]]
    return moved == sorted(moved)


def fold_shape_cast(op: ops.ShapeCastOp, constants: Constants) -> Folded:
    """No other shape; that of another shape, or of a transposition that keeps the order; a constant."""
    source, type = op.source, vector_type(op.result)
    if source.type == type:
        return [source]
    if (inner := defined_by(source, ops.ShapeCastOp)) is not None:
        op.set_operand(0, inner.source)
        return IN_PLACE
    if (transpose := defined_by(source, ops.TransposeOp)) is not None:
        if not keeps_order(transpose):
            return None
        op.set_operand(0, transpose.vector)
        return IN_PLACE
    if (broadcast := defined_by(source, ops.BroadcastOp)) is not None and broadcast.source.type == type:
        return [broadcast.source]
    if isinstance(constants[0], DenseElementsAttr):
        return [DenseElementsAttr(constants[0].values, type)]
    return [poison()] if is_poison(constants[0]) else None


def fold_transpose(op: ops.TransposeOp, constants: Constants) -> Folded:
    """A constant of equal elements; what keeps its order and its type."""
    constant, type = constants[0], vector_type(op.result)
    if isinstance(constant, DenseElementsAttr) and constant.is_splat:
        return [DenseElementsAttr(constant.values, type)]
    if is_poison(constant):
        return [poison()]
    return [op.vector] if op.vector.type == type and keeps_order(op) else None


def fold_bitcast(op: ops.BitcastOp, constants: Constants) -> Folded:
    """No cast; the last of two; a constant of equal elements whose bits are repeated."""
    before, type, constant = vector_type(op.source), vector_type(op.result), constants[0]
    if before == type:
        return [op.source]
    if (inner := defined_by(op.source, ops.BitcastOp)) is not None:
        if inner.source.type == type:
            return [inner.source]
        op.set_operand(0, inner.source)
        return IN_PLACE
    if not isinstance(constant, DenseElementsAttr) or not constant.is_splat:
        return None
    (bits,) = constant.values
    narrow, wide = before.element, type.element
    is_float = isinstance(narrow, FloatType) and narrow.name == "f16"
    to_float = isinstance(wide, FloatType) and wide.name == "f32"
    is_integer = isinstance(narrow, (IntegerType, IndexType)) and isinstance(wide, IntegerType)
    if not isinstance(bits, int) or not ((is_float and to_float) or is_integer):
        return None
    width, times = width_of(narrow), width_of(wide) // width_of(narrow)
    if width_of(wide) <= width or width_of(wide) % width:
        return None
    repeated = sum(as_unsigned(bits, width) << i * width for i in range(times))
    return [dense([normal(repeated, wide)], type)]


# ---- order and slices


def fold_shuffle(op: ops.ShuffleOp, constants: Constants) -> Folded:
    """All of one of the vectors, in order; a shuffle of constants."""
    first, second, type = vector_type(op.v1), vector_type(op.v2), vector_type(op.result)
    if not first.shape or not second.shape:
        return None
    mask = op.mask.values
    one, other = first.ranked_shape[0], second.ranked_shape[0]
    if _is_range(mask, 0, one):
        return [op.v1]
    if _is_range(mask, one, other):
        return [op.v2]
    if constants[0] is None or constants[1] is None:
        return None
    if is_poison(constants[0]) and is_poison(constants[1]):
        return [poison()]
    if rank(first) != 1 or (one + other > MOST_FOLDED and refuse_elements(op, one + other)):
        return None
    values = [_values(constant, count) for constant, count in zip(constants, (one, other), strict=True)]
    if any(value is None and not is_poison(constant) for value, constant in zip(values, constants, strict=True)):
        return None
    undefined = next(value[0] for value in values if value)
    either = [*(values[0] or [undefined] * one), *(values[1] or [undefined] * other)]
    return [dense([undefined if index == POISON_INDEX else either[index] for index in mask], type)]


def _is_range(numbers: Sequence[int], first: int, count: int) -> bool:
    return len(numbers) == count and all(number == first + place for place, number in enumerate(numbers))


def fold_insert_slice(op: ops.InsertStridedSliceOp, constants: Constants) -> Folded:
    """All of a vector is put in."""
    return [op.valueToStore] if op.valueToStore.type == op.dest.type else None


def fold_extract_slice(op: ops.ExtractStridedSliceOp, constants: Constants) -> Folded:
    """All of a vector; a slice of a slice that was put in; a slice of a constant."""
    whole, type, constant = vector_type(op.source), vector_type(op.result), constants[0]
    if whole == type:
        return [op.source]
    if _take_inserted_slice(op):
        return IN_PLACE
    if not isinstance(constant, DenseElementsAttr):
        return None
    if constant.is_splat:
        return [DenseElementsAttr(constant.values, type)]
    offsets = numbers_of(op.offsets)
    offsets += [0] * (rank(type) - len(offsets))
    values: list[int | tuple[int, int]] = []
    for number in range(count_of(type)):
        place = indices_of(number, type.ranked_shape)
        moved = [index + offset for index, offset in zip(place, offsets, strict=True)]
        values.append(constant.values[number_of(moved, whole.ranked_shape)])
    return one(elements_of(values, type))


def _take_inserted_slice(op: ops.ExtractStridedSliceOp) -> bool:
    """Slices what was put into the source, if that covers the slice."""
    offsets, sizes = numbers_of(op.offsets), numbers_of(op.sizes)
    inner = defined_by(op.source, ops.InsertStridedSliceOp)
    while inner is not None:
        part, starts = vector_type(inner.valueToStore), numbers_of(inner.offsets)
        if rank(op.source.type) != rank(part) or len(offsets) > len(starts):
            return False
        moved: list[int] = []
        overlaps = False
        for offset, size, start, extent in zip(offsets, sizes, starts, part.ranked_shape, strict=False):
            if not start <= offset < start + extent:
                break
            overlaps = overlaps or offset + size > start + extent
            moved.append(offset - start)
        if len(moved) == len(offsets):
            if overlaps:
                return False
            op.set_operand(0, inner.valueToStore)
            op.properties["offsets"] = ArrayAttr(tuple(map(i64_attr, moved)))
            return True
        inner = defined_by(inner.dest, ops.InsertStridedSliceOp)
    return False


# ---- elements, masks, reductions


def fold_to_elements(op: ops.ToElementsOp, constants: Constants) -> Folded:
    """The elements that a vector was made of, or the scalar that is repeated in it."""
    inner = op.source.defining_op
    if isinstance(inner, ops.FromElementsOp):
        return inner.elements
    if isinstance(inner, ops.BroadcastOp) and not isinstance(inner.source.type, VectorType):
        return [inner.source] * len(op.results)
    return None


def fold_from_elements(op: ops.FromElementsOp, constants: Constants) -> Folded:
    """The vector that was taken apart into these elements; a constant of constants."""
    type = vector_type(op.dest)
    inner = defined_by(op.elements[0], ops.ToElementsOp) if op.elements else None
    if inner is not None and inner.results == op.elements:
        return [inner.source] if inner.source.type == type else None
    if not constants or not all(isinstance(constant, (IntegerAttr, FloatAttr)) for constant in constants):
        return None
    if not isinstance(type.element, (IntegerType, IndexType, FloatType)):
        return None
    values = [_values(constant, 1) for constant in constants]
    return [dense([normal(value[0], type.element) for value in values if value], type)]


def fold_constant_mask(op: ops.ConstantMaskOp, constants: Constants) -> Folded:
    """A mask of which all is set, or nothing."""
    type, sizes = vector_type(op.result), op.mask_dim_sizes.values
    if not type.shape:
        return [dense([int(sizes[0] == 1)], VectorType((), I1))]
    if sizes == type.shape:
        return [dense([1], type)]
    return [dense([0], type)] if not any(sizes) else None


def fold_multi_reduction(op: ops.MultiReductionOp, constants: Constants) -> Folded:
    """A reduction of one dimension over none."""
    return [op.source] if rank(op.source.type) == 1 and 0 not in op.reduction_dims.values else None


FOLDS: Final[Mapping[str, Fold]] = {
    "vector.bitcast": fold_bitcast,
    "vector.broadcast": fold_broadcast,
    "vector.constant_mask": fold_constant_mask,
    "vector.extract": fold_extract,
    "vector.extract_strided_slice": fold_extract_slice,
    "vector.from_elements": fold_from_elements,
    "vector.insert": fold_insert,
    "vector.insert_strided_slice": fold_insert_slice,
    "vector.load": fold_casts,
    "vector.mask": fold_mask,
    "vector.maskedload": fold_casts,
    "vector.maskedstore": fold_casts,
    "vector.multi_reduction": fold_multi_reduction,
    "vector.shape_cast": fold_shape_cast,
    "vector.shuffle": fold_shuffle,
    "vector.store": fold_casts,
    "vector.to_elements": fold_to_elements,
    "vector.transfer_read": fold_read,
    "vector.transfer_write": fold_write,
    "vector.transpose": fold_transpose,
}
MATERIALIZE_CONSTANT: Final = materialize_constant
