"""Casts between what a conversion made and what it did not: the same value, in the form of the other type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood, signed_index
from fathom.ir.types import MemRefType, Type, VectorType

if TYPE_CHECKING:
    from fathom.interpreting.machine import Frame
    from fathom.ir.operation import Operation

_STRUCT: Final = "llvm.struct"
_ARRAY: Final = "llvm.array"


def cast(op: Operation, operands: list[Any], frame: Frame) -> Sequence[Datum]:
    """Each value as one of the type of its result."""
    del frame
    if len(operands) != len(op.results):
        raise NotUnderstood(f"'{op.name}' of several values to one")
    return [
        _converted(value, operand.type, result.type)
        for value, operand, result in zip(operands, op.operands, op.results, strict=True)
    ]


def _converted(value: Datum, source: Type, target: Type) -> Datum:
    if isinstance(value, MemRef) and target.full_name == _STRUCT:
        return _descriptor(value)
    if isinstance(target, MemRefType) and isinstance(value, Array):
        return memref_of(value)
    if isinstance(target, MemRefType) and isinstance(value, int):
        raise NotUnderstood("memrefs as bare pointers")
    if isinstance(value, Array) and target.full_name == _ARRAY:
        return _nested(value)
    if isinstance(value, Array) and source.full_name == _ARRAY and isinstance(target, VectorType):
        return Array(target.ranked_shape, tuple(_flat(value)))
    if isinstance(value, Array) and isinstance(target, VectorType):
        return Array(target.ranked_shape, value.items)
    if isinstance(value, MemRef) and not isinstance(target, MemRefType):
        raise NotUnderstood(f"a memref as {target}")
    return value


def numbers_of(memref: MemRef) -> list[Datum]:
    """The fields of a descriptor one after the other, as a function of the LLVM dialect takes them."""
    strides = (stride % (1 << 64) for stride in memref.strides)
    return [memref.allocated, memref.aligned, memref.offset % (1 << 64), *memref.sizes, *strides]


def _descriptor(memref: MemRef) -> Array:
    allocated, aligned, offset, *shape = numbers_of(memref)
    fields: tuple[Datum, ...] = (allocated, aligned, offset)
    if rank := len(memref.sizes):
        fields += (Array((rank,), tuple(shape[:rank])), Array((rank,), tuple(shape[rank:])))
    return Array((len(fields),), fields)


def memref_of(descriptor: Array) -> MemRef:
    """The memref of a descriptor. Raises NotUnderstood for what is none."""
    allocated, aligned, offset, *shape = descriptor.items
    if not (isinstance(allocated, int) and isinstance(aligned, int)):
        raise NotUnderstood("such a descriptor")
    sizes, strides = (_numbers(shape[0]), _numbers(shape[1])) if shape else ((), ())
    return MemRef(allocated, aligned, signed_index(offset), sizes, strides)


def _numbers(array: Datum) -> tuple[int, ...]:
    assert isinstance(array, Array)
    return tuple(map(signed_index, array.items))


def _nested(array: Array) -> Array:
    """A vector of several dimensions as an array of vectors."""
    if len(array.shape) < 2:
        return array
    count, *inner = array.shape
    step = len(array.items) // max(count, 1)
    parts = [Array(tuple(inner), array.items[at * step : (at + 1) * step]) for at in range(count)]
    return Array((count,), tuple(_nested(part) for part in parts))


def _flat(array: Array) -> list[Datum]:
    items: list[Datum] = []
    for item in array.items:
        items += _flat(item) if isinstance(item, Array) else [item]
    return items
