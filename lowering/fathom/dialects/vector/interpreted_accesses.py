"""What vector's operations compute that read and write elements one by one, look at their bits, or print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memory import bytes_of, number_of, size_of
from fathom.interpreting.memrefs import element_of, place_in, shape_of_vector
from fathom.interpreting.printing import spelled, spelled_array
from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood, bits_of, signed, signed_index
from fathom.ir.types import FloatType, Type
from fathom.irdl.cases import word_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops import vector as ops


def _masked_load(op: ops.MaskedloadOp, operands: list[Any], frame: Frame) -> Datum:
    memref, *rest = operands
    start, (mask, otherwise) = list(map(signed_index, rest[:-2])), rest[-2:]
    element, items = element_of(op.base), list[Datum]()
    for at, (is_read, other) in enumerate(zip(mask.items, otherwise.items, strict=True)):
        place = (*start[:-1], start[-1] + at)
        address = memref.aligned + memref.place(place) * size_of(element) if is_read else 0
        items.append(frame.memory.load(address, element) if is_read else other)
    return Array(mask.shape, tuple(items))


def _masked_store(op: ops.MaskedstoreOp, operands: list[Any], frame: Frame) -> None:
    memref, *rest = operands
    start, (mask, value) = list(map(signed_index, rest[:-2])), rest[-2:]
    element = element_of(op.base)
    for at, (is_written, item) in enumerate(zip(mask.items, value.items, strict=True)):
        if is_written:
            place = (*start[:-1], start[-1] + at)
            frame.memory.store(memref.aligned + memref.place(place) * size_of(element), item, element)


def _gathered(op: ops.GatherOp, operands: list[Any], frame: Frame) -> Datum:
    base, *start, indices, mask, otherwise = operands
    bits, first, items = bits_of(element_of(op.indices)), list(map(signed_index, start)), list[Datum]()
    for index, is_read, other in zip(indices.items, mask.items, otherwise.items, strict=True):
        place = (*first[:-1], first[-1] + signed(index, bits))
        items.append(_element(op.base, base, place, frame) if is_read else other)
    return Array(mask.shape, tuple(items))


def _element(of: Value, base: Datum, place: tuple[int, ...], frame: Frame) -> Datum:
    """An element of a memref or a tensor."""
    if isinstance(base, Array):
        return base.items[place_in(base.shape, place)]
    assert isinstance(base, MemRef)
    element = element_of(of)
    return frame.memory.load(base.aligned + base.place(place) * size_of(element), element)


def _scattered(op: ops.ScatterOp, operands: list[Any], frame: Frame) -> None:
    base, *start, indices, mask, value = operands
    if not isinstance(base, MemRef):
        raise NotUnderstood(f"'{op.name}' to a tensor")
    element, bits, first = element_of(op.base), bits_of(element_of(op.indices)), list(map(signed_index, start))
    for index, is_written, item in zip(indices.items, mask.items, value.items, strict=True):
        if is_written:
            place = (*first[:-1], first[-1] + signed(index, bits))
            frame.memory.store(base.aligned + base.place(place) * size_of(element), item, element)


def _expanded(op: ops.ExpandloadOp, operands: list[Any], frame: Frame) -> Datum:
    base, *start, mask, otherwise = operands
    first, items, read = list(map(signed_index, start)), list[Datum](), 0
    for is_read, other in zip(mask.items, otherwise.items, strict=True):
        items.append(_element(op.base, base, (*first[:-1], first[-1] + read), frame) if is_read else other)
        read += is_read
    return Array(mask.shape, tuple(items))


def _compressed(op: ops.CompressstoreOp, operands: list[Any], frame: Frame) -> None:
    base, *start, mask, value = operands
    element, first = element_of(op.base), list(map(signed_index, start))
    kept = [item for is_kept, item in zip(mask.items, value.items, strict=True) if is_kept]
    for at, item in enumerate(kept):
        place = (*first[:-1], first[-1] + at)
        frame.memory.store(base.aligned + base.place(place) * size_of(element), item, element)


def _bitcast(op: ops.BitcastOp, operands: list[Any], _: Frame) -> Datum:
    (source,) = operands
    before, after = element_of(op.source), element_of(op.result)
    if any(size_of(type) * 8 != _width(type) for type in (before, after)):
        raise NotUnderstood(f"'{op.name}' of {before}")
    data = b"".join(bytes_of(item, before) for item in source.items)
    size = size_of(after)
    items = (number_of(data[at : at + size], after) for at in range(0, len(data), size))
    return Array(shape_of_vector(op.result), tuple(items))


def _width(type: Type) -> int:
    """How many bits a number has."""
    return type.width if isinstance(type, FloatType) else bits_of(type)


def _interleaved(op: ops.InterleaveOp, operands: list[Any], _: Frame) -> Datum:
    one, other = operands
    pairs = zip(one.items, other.items, strict=True)
    return Array(shape_of_vector(op.result), tuple(item for pair in pairs for item in pair))


def _deinterleaved(op: Operation, operands: list[Any], _: Frame) -> list[Datum]:
    (source,) = operands
    return [Array(shape_of_vector(result), source.items[at::2]) for at, result in enumerate(op.results)]


def _print(op: ops.PrintOp, operands: list[Any], frame: Frame) -> None:
    printed = frame.machine.printed
    if op.stringLiteral is not None:
        printed.append(op.stringLiteral.value)
        return
    for value in operands:
        type = op.operands[0].type
        printed.append(
            spelled_array(value, element_of(op.operands[0])) if isinstance(value, Array) else spelled(value, type)
        )
    printed.append({"newline": "\n", "comma": ", ", "open": "( ", "close": " )"}.get(word_of(op.punctuation), ""))


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "vector.maskedload": _masked_load,
    "vector.maskedstore": _masked_store,
    "vector.gather": _gathered,
    "vector.scatter": _scattered,
    "vector.expandload": _expanded,
    "vector.compressstore": _compressed,
    "vector.bitcast": _bitcast,
    "vector.interleave": _interleaved,
    "vector.deinterleave": _deinterleaved,
    "vector.print": _print,
}
