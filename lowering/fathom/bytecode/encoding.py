"""Bytes to numbers and texts, and back: the primitives that all sections are made of.

Source of the rules: *MLIR Bytecode Format*, "Primitives" and "Sections".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from fathom.bytecode.form import PADDING, Section
from fathom.text.encodings import utf8

T = TypeVar("T")

_AT_END: Final = "attempting to parse a byte at the end of the bytecode"
_WORD: Final = (1 << 64) - 1


class Malformed(Exception):
    """The bytes are no bytecode, or not such as can be read; the message is that of MLIR's reader. It never leaves this
    package."""


class ByteReader:
    """A position among bytes, up to `end`. What is not there raises Malformed, and costs no more than what is."""

    __slots__ = ("data", "end", "position")

    def __init__(self, data: bytes, position: int = 0, end: int | None = None) -> None:
        self.data = data
        self.position = position
        self.end = len(data) if end is None else end

    @property
    def left(self) -> int:
        """How many bytes there are still."""
        return self.end - self.position

    def byte(self) -> int:
        position = self.position
        if position >= self.end:
            raise Malformed(_AT_END)
        self.position = position + 1
        return self.data[position]

    def bytes(self, length: int) -> bytes:
        """So many bytes."""
        start = self._pass(length)
        return self.data[start : start + length]

    def part(self, length: int) -> ByteReader:
        """A reader of the next bytes, which are passed over."""
        start = self._pass(length)
        return ByteReader(self.data, start, start + length)

    def _pass(self, length: int) -> int:
        if length > self.left:
            raise Malformed(f"attempting to parse {length} bytes when only {self.left} remain")
        start = self.position
        self.position = start + length
        return start

    def varint(self) -> int:
        """An integer of one to nine bytes; the lowest bits of the first tell how many follow it."""
        # This is read ten times for each operation.
        position = self.position
        if position >= self.end:
            raise Malformed(_AT_END)
        first = self.data[position]
        self.position = position + 1
        if first & 1:
            return first >> 1
        if not first:
            return int.from_bytes(self.bytes(8), "little")
        more = (first & -first).bit_length() - 1
        return (first | int.from_bytes(self.bytes(more), "little") << 8) >> (more + 1)

    def signed(self) -> int:
        """A signed integer of 64 bits, whose lowest bit is its sign."""
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def flagged(self) -> tuple[int, bool]:
        """An integer with a flag in its lowest bit."""
        value = self.varint()
        return value >> 1, bool(value & 1)

    def integer(self, width: int) -> int:
        """An integer of a width that is known, as the number that its bits are."""
        if width <= 8:
            return self.byte() & ((1 << width) - 1)
        if width <= 64:
            return self.signed() & ((1 << width) - 1)
        words = self.list(self.signed)
        return sum((word & _WORD) << 64 * index for index, word in enumerate(words)) & ((1 << width) - 1)

    def list(self, read: Callable[[], T]) -> list[T]:
        """So many elements as a number says, each of a byte at least."""
        count = self.varint()
        elements: list[T] = []
        for _ in range(count):
            elements.append(read())
        return elements

    def text(self) -> str:
        """A text that ends with a zero."""
        end = self.data.find(0, self.position, self.end)
        if end < 0:
            raise Malformed("malformed null-terminated string, no null character found")
        start, self.position = self.position, end + 1
        return decoded(self.data[start:end])

    def align(self, alignment: int) -> None:
        """Passes over the padding before what is aligned, counted from the beginning of the file."""
        if alignment <= 0 or alignment & (alignment - 1):
            raise Malformed("expected alignment to be a power-of-two")
        while self.position & (alignment - 1):
            padding = self.byte()
            if padding != PADDING:
                raise Malformed(f"expected alignment byte (0xCB), but got: '0x{padding:X}'")

    def section(self) -> tuple[Section, ByteReader]:
        """A section, which is passed over."""
        kind = self.byte()
        length = self.varint()
        if kind & 0x7F >= len(Section):
            raise Malformed(f"invalid section ID: {kind & 0x7F}")
        if kind & 0x80:
            self.align(self.varint())
        return Section(kind & 0x7F), self.part(length)


class ByteWriter:
    """Bytes that are added to at the end."""

    __slots__ = ("alignment", "data")

    def __init__(self) -> None:
        self.data = bytearray()
        self.alignment = 1
        """What the beginning has to be aligned to, so that what is in it is aligned."""

    def byte(self, value: int) -> None:
        self.data.append(value)

    def varint(self, value: int) -> None:
        """A number of 64 bits."""
        if value < 0x80:
            self.data.append(value << 1 | 1)
            return
        size = (value.bit_length() + 6) // 7
        if size > 8:
            self.data.append(0)
            self.data += value.to_bytes(8, "little")
        else:
            self.data += ((value << 1 | 1) << (size - 1)).to_bytes(size, "little")

    def signed(self, value: int) -> None:
        """A signed number of 64 bits."""
        self.varint(value << 1 if value >= 0 else ~(value << 1))

    def flagged(self, value: int, flag: bool) -> None:
        """A number with a flag in its lowest bit."""
        self.varint(value << 1 | flag)

    def integer(self, value: int, width: int) -> None:
        """The bits of an integer of a width that the reader knows."""
        bits = value & ((1 << width) - 1)
        if width <= 8:
            self.byte(bits)
        elif width <= 64:
            self._word(bits)
        else:
            count = max(-(-bits.bit_length() // 64), 1)
            self.varint(count)
            for index in range(count):
                self._word(bits >> 64 * index & _WORD)

    def _word(self, bits: int) -> None:
        self.signed(bits - (1 << 64) if bits >> 63 else bits)

    def text(self, text: str) -> None:
        """A text, and a zero behind it."""
        self.data += utf8(text)
        self.data.append(0)

    def align(self, alignment: int) -> None:
        """Adds padding, so that what follows is aligned."""
        if alignment < 2:
            return
        self.data += bytes((PADDING,)) * (-len(self.data) % alignment)
        self.alignment = max(self.alignment, alignment)

    def section(self, kind: Section, body: ByteWriter) -> None:
        """Adds a section, aligned as its body has to be."""
        start = len(self.data)
        self.byte(kind)
        self.varint(len(body.data))
        if body.alignment > 1:
            if len(self.data) % body.alignment:
                self.varint(body.alignment)
                self.align(body.alignment)
                self.data[start] |= 0x80
            else:
                self.alignment = max(self.alignment, body.alignment)
        self.data += body.data


def decoded(data: bytes) -> str:
    """Bytes as text; those that are no UTF-8 are kept."""
    return data.decode("utf-8", "surrogateescape")
