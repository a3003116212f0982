"""Structs, arrays and their elements in memory, as the LLVM dialect has them on a machine of 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.interpreting.memory import size_of
from fathom.interpreting.values import Array, Datum, NotUnderstood

if TYPE_CHECKING:
    from fathom.interpreting.machine import Frame
    from fathom.ir.types import Type


def size_in_memory(type: Type) -> tuple[int, int]:
    """How many bytes a value takes as an element of an array, and to what it is aligned."""
    if isinstance(type, LLVMArrayType):
        size, alignment = size_in_memory(type.element)
        return size * type.size, alignment
    if isinstance(type, LLVMStructType):
        end, most = 0, 1
        for field in type.body or ():
            size, alignment = size_in_memory(field)
            end = -(-end // alignment) * alignment + size
            most = max(most, alignment)
        return -(-end // most) * most, most
    size = size_of(type)
    return size, min(max(size, 1), 16)


def field_at(type: LLVMStructType, number: int) -> tuple[int, Type]:
    """Where a field begins in a struct, and its type."""
    end = 0
    for at, field in enumerate(type.body or ()):
        size, alignment = size_in_memory(field)
        start = -(-end // alignment) * alignment
        if at == number:
            return start, field
        end = start + size
    raise NotUnderstood("a field that is not there")


def load(frame: Frame, address: int, type: Type) -> Datum:
    """A value in memory."""
    if isinstance(type, LLVMStructType):
        fields = [field_at(type, number) for number in range(len(type.body or ()))]
        return Array((len(fields),), tuple(load(frame, address + start, field) for start, field in fields))
    if isinstance(type, LLVMArrayType):
        size = size_in_memory(type.element)[0]
        return Array((type.size,), tuple(load(frame, address + at * size, type.element) for at in range(type.size)))
    return frame.memory.load(address, type)


def store(frame: Frame, address: int, value: Datum, type: Type) -> None:
    """Writes a value."""
    if isinstance(type, LLVMStructType) and isinstance(value, Array):
        for number, item in enumerate(value.items):
            start, field = field_at(type, number)
            store(frame, address + start, item, field)
    elif isinstance(type, LLVMArrayType) and isinstance(value, Array):
        size = size_in_memory(type.element)[0]
        for at, item in enumerate(value.items):
            store(frame, address + at * size, item, type.element)
    else:
        frame.memory.store(address, value, type)


def nested(value: Datum, type: Type) -> Datum:
    """Elements one after the other as an array of arrays."""
    if not isinstance(type, LLVMArrayType) or not isinstance(value, Array):
        return value
    if value.shape == (type.size,) and len(value.items) == type.size:
        return value
    step = len(value.items) // max(type.size, 1)
    inner = value.shape[1:]
    parts = [Array(inner, value.items[at * step : (at + 1) * step]) for at in range(type.size)]
    return Array((type.size,), tuple(nested(part, type.element) for part in parts))
