"""What vector's operations compute, of vectors whose length is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any, Final

from fathom.dialects.vector import interpreted_accesses as accesses
from fathom.dialects.vector import interpreted_masks as masks
from fathom.dialects.vector.interpreted_kinds import combined, kind_of_operation
from fathom.interpreting import elementwise as each
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memory import size_of
from fathom.interpreting.memrefs import (
    element_of,
    indices_of,
    mixed,
    place_in,
    shape_of_vector,
    slice_of,
    transposed,
    with_slice,
)
from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood, signed_index
from fathom.ir.affine import AffineMap, evaluate
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, IntegerAttr
from fathom.ir.types import Type, VectorType

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import vector as ops


def _broadcast(op: ops.BroadcastOp, operands: list[Any], _: Frame) -> Datum:
    shape, (source,) = shape_of_vector(op.vector), operands
    if not isinstance(source, Array):
        return Array(shape, (source,) * prod(shape))
    inner = len(shape) - len(source.shape)
    items = [
        source.items[
            place_in(source.shape, [min(at, size - 1) for at, size in zip(place[inner:], source.shape, strict=True)])
        ]
        for place in indices_of(shape)
    ]
    return Array(shape, tuple(items))


def _extract(op: ops.ExtractOp, operands: list[Any], _: Frame) -> Datum:
    array, *dynamic = operands
    position = mixed(op.static_position.values, dynamic)
    rest = array.shape[len(position) :]
    sizes = [1] * len(position) + list(rest)
    part = slice_of(array, [*position, *[0] * len(rest)], sizes, [1] * len(array.shape))
    return Array(rest, part.items) if isinstance(op.result.type, VectorType) else part.items[0]


def _insert(op: ops.InsertOp, operands: list[Any], _: Frame) -> Datum:
    value, array, *dynamic = operands
    position = mixed(op.static_position.values, dynamic)
    rest = array.shape[len(position) :]
    part = value if isinstance(value, Array) else Array((), (value,))
    sizes = [1] * len(position) + list(rest)
    return with_slice(array, part, [*position, *[0] * len(rest)], sizes, [1] * len(array.shape))


def _from_elements(op: ops.FromElementsOp, operands: list[Any], _: Frame) -> Datum:
    return Array(shape_of_vector(op.dest), tuple(operands))


def _to_elements(_: ops.ToElementsOp, operands: list[Any], __: Frame) -> Sequence[Datum]:
    return list(operands[0].items)


def _cast(op: ops.ShapeCastOp, operands: list[Any], _: Frame) -> Datum:
    return Array(shape_of_vector(op.result), operands[0].items)


def _transpose(op: ops.TransposeOp, operands: list[Any], _: Frame) -> Datum:
    return transposed(operands[0], op.permutation.values)


def _shuffle(op: ops.ShuffleOp, operands: list[Any], _: Frame) -> Datum:
    one, other = operands
    rest = one.shape[1:]
    size = prod(rest)
    both = (*one.items, *other.items)
    items = [item for at in op.mask.values for item in both[max(at, 0) * size : (max(at, 0) + 1) * size]]
    return Array((len(op.mask.values), *rest), tuple(items))


def _numbers(attribute: ArrayAttr) -> list[int]:
    return [number.value for number in attribute.elements if isinstance(number, IntegerAttr)]


def _extract_slice(op: ops.ExtractStridedSliceOp, operands: list[Any], _: Frame) -> Datum:
    (array,) = operands
    rest = array.shape[len(op.offsets.elements) :]
    offsets = [*_numbers(op.offsets), *[0] * len(rest)]
    return slice_of(array, offsets, [*_numbers(op.sizes), *rest], [*_numbers(op.strides), *[1] * len(rest)])


def _insert_slice(op: ops.InsertStridedSliceOp, operands: list[Any], _: Frame) -> Datum:
    part, array = operands
    lead = len(array.shape) - len(part.shape)
    sizes = [1] * lead + list(part.shape)
    return with_slice(array, part, _numbers(op.offsets), sizes, [1] * lead + _numbers(op.strides))


def _reduction(op: ops.ReductionOp, operands: list[Any], _: Frame) -> Datum:
    array, *start = operands
    kind, type = kind_of_operation(op), op.dest.type
    items = [*start, *array.items]
    return reduce(lambda one, other: combined(kind, type, one, other), items)


def _several(op: ops.MultiReductionOp, operands: list[Any], _: Frame) -> Datum:
    array, start, *mask = operands
    kind, type = kind_of_operation(op), element_of(op.source)
    kept = [dim for dim in range(len(array.shape)) if dim not in op.reduction_dims.values]
    shape = tuple(array.shape[dim] for dim in kept)
    held = list(start.items) if isinstance(start, Array) else [start]
    chosen = mask[0].items if mask else (1,) * len(array.items)
    for place, item, is_set in zip(indices_of(array.shape), array.items, chosen, strict=True):
        if not is_set:
            continue
        at = place_in(shape, [place[dim] for dim in kept])
        held[at] = combined(kind, type, held[at], item)
    return Array(shape, tuple(held)) if isinstance(start, Array) else held[0]


def _outer(op: Operation, operands: list[Any], _: Frame) -> Datum:
    one, other, *start = operands
    type, kind = element_of(op.result), kind_of_operation(op)
    if not isinstance(other, Array):
        products = each.unary(lambda a: combined("mul", type, a, other), [one])
        return each.binary(lambda a, b: combined(kind, type, a, b), [products, *start]) if start else products
    products = Array(
        (*one.shape, *other.shape), tuple(combined("mul", type, a, b) for a in one.items for b in other.items)
    )
    return each.binary(lambda a, b: combined(kind, type, a, b), [products, *start]) if start else products


def _maps(attribute: ArrayAttr) -> list[AffineMap]:
    return [element.map for element in attribute.elements if isinstance(element, AffineMapAttr)]


def _contract(op: ops.ContractOp, operands: list[Any], _: Frame) -> Datum:
    lhs, rhs, acc, *mask = operands
    type = element_of(op.lhs)
    if element_of(op.rhs) != type:
        raise NotUnderstood(f"'{op.name}' of different types")
    maps = _maps(op.indexing_maps)
    extents: dict[int, int] = {}
    for map, array in zip(maps, (lhs, rhs), strict=False):
        for expr, size in zip(map.results, array.shape, strict=True):
            extents[getattr(expr, "position", -1)] = size
    shape = [extents[loop] for loop in range(len(extents))]
    held = list(acc.items) if isinstance(acc, Array) else [acc]
    target = acc.shape if isinstance(acc, Array) else ()
    for place in indices_of(shape):
        if mask and not mask[0].items[place_in(shape, place)]:
            continue
        at = [[evaluate(expr, place, ()) for expr in map.results] for map in maps]
        product = combined("mul", type, lhs.items[place_in(lhs.shape, at[0])], rhs.items[place_in(rhs.shape, at[1])])
        where = place_in(target, at[2])
        held[where] = combined(kind_of_operation(op), type, held[where], product)
    return Array(acc.shape, tuple(held)) if isinstance(acc, Array) else held[0]


def _load(op: ops.LoadOp, operands: list[Any], frame: Frame) -> Datum:
    memref, *indices = operands
    shape = shape_of_vector(op.result)
    return _read(frame, op.base, memref, list(map(signed_index, indices)), shape, op.result.type)


def _read(frame: Frame, base: Value, memref: MemRef, start: Sequence[int], shape: Sequence[int], type: Type) -> Datum:
    element = element_of(base)
    if isinstance(element, VectorType):
        place = memref.aligned + memref.place(tuple(start)) * size_of(element)
        return frame.memory.load(place, type)
    lead = len(start) - len(shape)
    items: list[Datum] = []
    for at in indices_of(shape):
        where = [*start[:lead], *(one + two for one, two in zip(start[lead:], at, strict=True))]
        items.append(frame.memory.load(memref.aligned + memref.place(tuple(where)) * size_of(element), element))
    return Array(tuple(shape), tuple(items))


def _store(op: ops.StoreOp, operands: list[Any], frame: Frame) -> None:
    value, memref, *indices = operands
    element, start = element_of(op.base), list(map(signed_index, indices))
    if isinstance(element, VectorType):
        frame.memory.store(memref.aligned + memref.place(tuple(start)) * size_of(element), value, element)
        return
    lead = len(start) - len(value.shape)
    for at, item in zip(indices_of(value.shape), value.items, strict=True):
        where = [*start[:lead], *(one + two for one, two in zip(start[lead:], at, strict=True))]
        frame.memory.store(memref.aligned + memref.place(tuple(where)) * size_of(element), item, element)


def _places(map: AffineMap, start: Sequence[int], shape: Sequence[int]) -> list[tuple[int, ...]]:
    """Where the elements of a transfer lie in what it accesses."""
    places: list[tuple[int, ...]] = []
    for at in indices_of(shape):
        where = list(start)
        for expr, offset in zip(map.results, at, strict=True):
            position = getattr(expr, "position", None)
            if position is not None:
                where[position] += offset
        places.append(tuple(where))
    return places


def _inside(place: Sequence[int], sizes: Sequence[int]) -> bool:
    return all(0 <= at < size for at, size in zip(place, sizes, strict=True))


def _transfer_read(op: ops.TransferReadOp, operands: list[Any], frame: Frame) -> Datum:
    source, *rest = operands
    count = len(op.indices)
    start, padding, mask = list(map(signed_index, rest[:count])), rest[count], rest[count + 1 :]
    shape, element = shape_of_vector(op.vector), element_of(op.base)
    if isinstance(element, VectorType):
        raise NotUnderstood(f"'{op.name}' of vectors")
    sizes = source.sizes if isinstance(source, MemRef) else source.shape
    chosen = mask[0].items if mask else (1,) * prod(shape)
    items: list[Datum] = []
    for place, is_read in zip(_places(op.permutation_map.map, start, shape), chosen, strict=True):
        if not is_read or not _inside(place, sizes):
            items.append(padding)
        elif isinstance(source, MemRef):
            items.append(frame.memory.load(source.aligned + source.place(place) * size_of(element), element))
        else:
            items.append(source.items[place_in(source.shape, place)])
    return Array(shape, tuple(items))


def _transfer_write(op: ops.TransferWriteOp, operands: list[Any], frame: Frame) -> list[Datum]:
    value, target, *rest = operands
    count = len(op.indices)
    start, mask = list(map(signed_index, rest[:count])), rest[count:]
    element = element_of(op.base)
    if isinstance(element, VectorType):
        raise NotUnderstood(f"'{op.name}' of vectors")
    sizes = target.sizes if isinstance(target, MemRef) else target.shape
    chosen = mask[0].items if mask else (1,) * len(value.items)
    held = list(target.items) if isinstance(target, Array) else []
    places = _places(op.permutation_map.map, start, value.shape)
    for place, item, is_written in zip(places, value.items, chosen, strict=True):
        if not is_written or not _inside(place, sizes):
            continue
        if isinstance(target, MemRef):
            frame.memory.store(target.aligned + target.place(place) * size_of(element), item, element)
        else:
            held[place_in(target.shape, place)] = item
    return [Array(target.shape, tuple(held))] if isinstance(target, Array) else []


def _step(op: ops.StepOp, _: list[Any], __: Frame) -> Datum:
    shape = shape_of_vector(op.result)
    return Array(shape, tuple(range(shape[0])))


def _constant_mask(op: ops.ConstantMaskOp, _: list[Any], __: Frame) -> Datum:
    shape, sizes = shape_of_vector(op.result), op.mask_dim_sizes.values
    return Array(shape, tuple(int(_inside(place, sizes)) for place in indices_of(shape)))


def _create_mask(op: ops.CreateMaskOp, operands: list[Any], _: Frame) -> Datum:
    shape, sizes = shape_of_vector(op.result), list(map(signed_index, operands))
    return Array(shape, tuple(int(_inside(place, sizes)) for place in indices_of(shape)))


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    **accesses.INTERPRETATION,
    **masks.INTERPRETATION,
    "vector.broadcast": _broadcast,
    "vector.constant_mask": _constant_mask,
    "vector.contract": _contract,
    "vector.create_mask": _create_mask,
    "vector.extract": _extract,
    "vector.extract_strided_slice": _extract_slice,
    "vector.fma": each.fused,
    "vector.from_elements": _from_elements,
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_slice,
    "vector.load": _load,
    "vector.multi_reduction": _several,
    "vector.outerproduct": _outer,
    "vector.reduction": _reduction,
    "vector.shape_cast": _cast,
    "vector.shuffle": _shuffle,
    "vector.step": _step,
    "vector.store": _store,
    "vector.to_elements": _to_elements,
    "vector.transfer_read": _transfer_read,
    "vector.transfer_write": _transfer_write,
    "vector.transpose": _transpose,
}
