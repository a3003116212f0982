"""Reads numbers and names of WebAssembly's binary format, one after the other.

Source of the rules: the core specification, *Binary Format*, *Values*.
"""

from __future__ import annotations

import struct
from typing import Final

from fathom.llvm.disassembly.objects import NotShown

_MOST_BITS: Final = 70
"""No number takes more, padded as linkers want it."""


class Reader:
    """The bytes from `at` to `end`, exclusive. What is not there raises NotShown."""

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data = data
        self.at = at
        self.end = len(data) if end is None else end

    @property
    def is_done(self) -> bool:
        return self.at >= self.end

    def byte(self) -> int:
        if self.at >= self.end:
            raise NotShown("the object file ends in the midst of something")
        self.at += 1
        return self.data[self.at - 1]

    def bytes(self, count: int) -> bytes:
        if count > self.end - self.at:
            raise NotShown("the object file ends in the midst of something")
        self.at += count
        return self.data[self.at - count : self.at]

    def unsigned(self) -> int:
        """A number of any size (LEB128)."""
        value = shift = 0
        while shift < _MOST_BITS:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value
        raise NotShown("a number in the object file has no end")

    def signed(self) -> int:
        """A number of any size with a sign."""
        start = self.at
        value = self.unsigned()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def floating(self, size: int) -> float:
        """A floating-point number of four or eight bytes."""
        return float(struct.unpack("<f" if size == 4 else "<d", self.bytes(size))[0])

    def name(self) -> str:
        return self.bytes(self.unsigned()).decode("utf-8", "backslashreplace")

    def within(self, size: int) -> Reader:
        """The next `size` bytes, behind which this goes on."""
        start = self.at
        self.bytes(size)
        return Reader(self.data, start, start + size)
