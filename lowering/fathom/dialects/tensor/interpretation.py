"""What tensor's operations compute."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.elementwise import same
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memrefs import (
    extent,
    indices_of,
    kept_dimensions,
    mixed,
    place_in,
    shape_with,
    slice_of,
    with_slice,
)
from fathom.interpreting.values import Array, Datum, NotUnderstood, signed_index
from fathom.ir.attributes import ArrayAttr, IntegerAttr
from fathom.ir.types import TensorType, Type

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ops import tensor as ops


def _element(type: Type) -> Type:
    if not isinstance(type, TensorType):
        raise NotUnderstood(f"elements of {type}")
    return type.element


def _empty(op: ops.EmptyOp, operands: list[Any], frame: Frame) -> Datum:
    shape = shape_with(op.result.type, operands)
    return Array(shape, (frame.machine.undefined(_element(op.result.type)),) * prod(shape))


def _splat(op: ops.SplatOp, operands: list[Any], _: Frame) -> Datum:
    value, *dynamic = operands
    shape = shape_with(op.aggregate.type, dynamic)
    return Array(shape, (value,) * prod(shape))


def _from_elements(op: ops.FromElementsOp, operands: list[Any], _: Frame) -> Datum:
    return Array(shape_with(op.result.type, ()), tuple(operands))


def _extract(_: ops.ExtractOp, operands: list[Any], __: Frame) -> Datum:
    array, *indices = operands
    return array.items[place_in(array.shape, list(map(signed_index, indices)))]


def _insert(_: ops.InsertOp, operands: list[Any], __: Frame) -> Datum:
    value, array, *indices = operands
    items = list(array.items)
    items[place_in(array.shape, list(map(signed_index, indices)))] = value
    return Array(array.shape, tuple(items))


def _dim(_: ops.DimOp, operands: list[Any], __: Frame) -> Datum:
    array, index = operands
    return extent(array.shape, index)


def _generate(op: ops.GenerateOp, operands: list[Any], frame: Frame) -> Datum:
    shape = shape_with(op.result.type, operands)
    items = [frame.run(op.body, list(place))[1][0] for place in indices_of(shape)]
    return Array(shape, tuple(items))


def _numbers(op: ops.ExtractSliceOp, values: list[Datum]) -> tuple[tuple[int, ...], ...]:
    counts = len(op.offsets), len(op.offsets) + len(op.sizes)
    return (
        mixed(op.static_offsets.values, values[: counts[0]]),
        mixed(op.static_sizes.values, values[counts[0] : counts[1]]),
        mixed(op.static_strides.values, values[counts[1] :]),
    )


def _extract_slice(op: ops.ExtractSliceOp, operands: list[Any], _: Frame) -> Datum:
    array, *values = operands
    offsets, sizes, strides = _numbers(op, values)
    part = slice_of(array, offsets, sizes, strides)
    type = op.result.type
    kept = kept_dimensions(sizes, type.shape or () if isinstance(type, TensorType) else ())
    return Array(tuple(sizes[d] for d in kept), part.items)


def _insert_slice(op: ops.InsertSliceOp, operands: list[Any], _: Frame) -> Datum:
    part, array, *values = operands
    counts = len(op.offsets), len(op.offsets) + len(op.sizes)
    offsets = mixed(op.static_offsets.values, values[: counts[0]])
    sizes = mixed(op.static_sizes.values, values[counts[0] : counts[1]])
    return with_slice(array, part, offsets, sizes, mixed(op.static_strides.values, values[counts[1] :]))


def _pad(op: ops.PadOp, operands: list[Any], frame: Frame) -> Datum:
    array, *values = operands
    low = mixed(op.static_low.values, values[: len(op.low)])
    high = mixed(op.static_high.values, values[len(op.low) :])
    shape = tuple(a + b + c for a, b, c in zip(low, array.shape, high, strict=True))
    items: list[Datum] = []
    for place in indices_of(shape):
        inside = [at - before for at, before in zip(place, low, strict=True)]
        if all(0 <= at < size for at, size in zip(inside, array.shape, strict=True)):
            items.append(array.items[place_in(array.shape, inside)])
        else:
            items.append(frame.run(op.region, list(place))[1][0])
    return Array(shape, tuple(items))


def _expand(op: ops.ExpandShapeOp, operands: list[Any], _: Frame) -> Datum:
    array, *dynamic = operands
    return Array(mixed(op.static_output_shape.values, dynamic), array.items)


def _collapse(op: ops.CollapseShapeOp, operands: list[Any], _: Frame) -> Datum:
    (array,) = operands
    groups = [
        [number.value for number in group.elements if isinstance(number, IntegerAttr)]
        for group in op.reassociation.elements
        if isinstance(group, ArrayAttr)
    ]
    return Array(tuple(prod(array.shape[d] for d in group) for group in groups), array.items)


def _reshape(op: ops.ReshapeOp, operands: list[Any], _: Frame) -> Datum:
    array, shape = operands
    del op
    return Array(tuple(map(signed_index, shape.items)), array.items)


def _concatenated(op: ops.ConcatOp, operands: list[Any], _: Frame) -> Datum:
    dim = op.dim.value
    shape = list(operands[0].shape)
    shape[dim] = sum(part.shape[dim] for part in operands)
    whole = Array(tuple(shape), (0,) * prod(shape))
    start, ones = 0, (1,) * len(shape)
    for part in operands:
        offsets = [start if d == dim else 0 for d in range(len(shape))]
        whole = with_slice(whole, part, offsets, part.shape, ones)
        start += part.shape[dim]
    return whole


def _rank(op: Operation, operands: list[Any], _: Frame) -> Datum:
    del op
    return len(operands[0].shape)


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "tensor.cast": same,
    "tensor.collapse_shape": _collapse,
    "tensor.concat": _concatenated,
    "tensor.dim": _dim,
    "tensor.empty": _empty,
    "tensor.expand_shape": _expand,
    "tensor.extract": _extract,
    "tensor.extract_slice": _extract_slice,
    "tensor.from_elements": _from_elements,
    "tensor.generate": _generate,
    "tensor.insert": _insert,
    "tensor.insert_slice": _insert_slice,
    "tensor.pad": _pad,
    "tensor.parallel_insert_slice": _insert_slice,
    "tensor.rank": _rank,
    "tensor.reshape": _reshape,
    "tensor.splat": _splat,
}
