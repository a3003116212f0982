"""Memory: bytes at addresses, of which each access is looked at."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections import deque
from typing import Final

from fathom.interpreting.values import POINTER, Array, Datum, NotUnderstood, Trap, bits_of
from fathom.ir import floats
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, Type, VectorType

_FIRST: Final = 1 << 16
_GAP: Final = 1 << 12
"""So much lies between two allocations, that what is beside one is not in another."""
_MOST: Final = 1 << 28
"""A program may have so many bytes."""
_MOST_FREED: Final = 1 << 26
"""So many bytes are kept of what was given back, that it can be told what they were."""
_PACKED: Final = {"f64": "<d", "f32": "<f", "f16": "<e"}


class Memory:
    """What was allocated, by its address. What a program asks for is filled with a byte until it is written to."""

    def __init__(self, fill: int = 0) -> None:
        self.has_undefined = False
        """Whether there ever was something that nothing is said of until it is written to."""
        self._fill = fill
        self._kept_freed = deque[int]()
        self._freed_size = 0
        self._starts: list[int] = []
        self._bytes: list[bytearray] = []
        self._freed: list[bool] = []
        self._next = _FIRST
        self._size = 0

    def allocate(self, size: int, alignment: int = 64) -> int:
        """An address of so many bytes, which are zero. Raises Trap where there is not so much."""
        if size < 0 or self._size + size > _MOST:
            raise Trap("memory-limit", f"the program asks for {size} bytes")
        self._size += size
        alignment = max(alignment, 64)
        start = -(-self._next // alignment) * alignment
        self._starts.append(start)
        self._bytes.append(bytearray(size))
        self._freed.append(False)
        self._next = start + size + _GAP
        return start

    def reserve(self, size: int, alignment: int = 64) -> int:
        """An address of so many bytes of which nothing is said. Raises Trap where there is not so much."""
        address = self.allocate(size, alignment)
        self.has_undefined |= size > 0
        if self._fill:
            self._bytes[-1][:] = bytes((self._fill,)) * size
        return address

    def free(self, address: int) -> None:
        """Gives memory back. Raises Trap for what is no beginning of an allocation, or was given back."""
        if not address:
            return
        at = self._find(address)
        if self._starts[at] != address or self._freed[at]:
            raise Trap("crash", "something is freed that is not allocated")
        self._freed[at] = True
        size = len(self._bytes[at])
        self._size -= size
        self._kept_freed.append(at)
        self._freed_size += size
        while self._freed_size > _MOST_FREED:
            first = self._kept_freed.popleft()
            self._freed_size -= len(self._bytes[first])
            self._bytes[first] = bytearray()

    def is_freed(self, address: int) -> bool:
        """Whether what was allocated at an address was given back."""
        return self._freed[self._find(address)]

    def peek(self, address: int, size: int) -> bytes | None:
        """Bytes as they are, or were when they were given back; None where there are none, or they are not kept."""
        at = bisect_right(self._starts, address) - 1
        if at < 0:
            return None
        start, held = address - self._starts[at], self._bytes[at]
        return bytes(held[start : start + size]) if start + size <= len(held) else None

    def read(self, address: int, size: int) -> bytes:
        """Bytes. Raises Trap where nothing was allocated."""
        at = self._find(address, size)
        start = address - self._starts[at]
        return bytes(self._bytes[at][start : start + size])

    def write(self, address: int, data: bytes) -> None:
        """Writes bytes. Raises Trap where nothing was allocated."""
        at = self._find(address, len(data))
        start = address - self._starts[at]
        self._bytes[at][start : start + len(data)] = data

    def _find(self, address: int, size: int = 0) -> int:
        at = bisect_right(self._starts, address) - 1
        if at < 0 or address + size > self._starts[at] + len(self._bytes[at]) or (size and self._freed[at]):
            raise Trap("crash", f"an access to memory that is not there, at {address:#x}")
        return at

    # ---- values

    def load(self, address: int, type: Type) -> Datum:
        """A number or a vector in memory."""
        if isinstance(type, VectorType):
            size = size_of(type.element)
            count = size_of(type) // size if size else 0
            return Array(type.ranked_shape, tuple(self.load(address + at * size, type.element) for at in range(count)))
        return number_of(self.read(address, size_of(type)), type)

    def store(self, address: int, value: Datum, type: Type) -> None:
        """Writes a number or a vector."""
        if isinstance(type, VectorType):
            assert isinstance(value, Array)
            size = size_of(type.element)
            for at, item in enumerate(value.items):
                self.store(address + at * size, item, type.element)
            return
        self.write(address, bytes_of(value, type))


def number_of(data: bytes, type: Type) -> Datum:
    """The number that bytes are."""
    if isinstance(type, ComplexType):
        half = len(data) // 2
        return Array((2,), (number_of(data[:half], type.element), number_of(data[half:], type.element)))
    if isinstance(type, FloatType):
        packed = _PACKED.get(type.name)
        if packed is not None:
            return struct.unpack(packed, data)[0]
        return floats.to_float(int.from_bytes(data, "little"), type.name)
    value = int.from_bytes(data, "little")
    return value % (1 << bits_of(type)) if isinstance(type, (IntegerType, IndexType)) else value


def bytes_of(value: Datum, type: Type) -> bytes:
    """A number as it stands in memory. Raises NotUnderstood."""
    if isinstance(type, FloatType):
        assert isinstance(value, (int, float))
        packed = _PACKED.get(type.name)
        if packed is not None:
            return struct.pack(packed, value)
        return floats.from_float(value, type.name).to_bytes(size_of(type), "little")
    if isinstance(type, ComplexType) and isinstance(value, Array):
        return b"".join(bytes_of(part, type.element) for part in value.items)
    if not isinstance(value, int):
        raise NotUnderstood(f"{type} in memory")
    return value.to_bytes(size_of(type), "little")


def size_of(type: Type) -> int:
    """How many bytes a value takes in memory, and an element of an array. Raises NotUnderstood."""
    match type:
        case IntegerType(width):
            size = (width + 7) // 8
            return 1 << (size - 1).bit_length() if size > 1 else 1
        case IndexType():
            return 8
        case FloatType():
            return (type.width + 7) // 8
        case ComplexType(element):
            return 2 * size_of(element)
        case VectorType(shape, element):
            count = 1
            for extent in shape or ():
                count *= extent
            return count * size_of(element)
        case _ if type.full_name == POINTER:
            return 8
        case _:
            raise NotUnderstood(f"{type} in memory")
