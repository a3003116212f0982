"""The buffers of a call in the memory of the program's process, and what they hold when it is over.

Each lies at the end of its pages, between others that nobody may touch: who writes beyond it, or far before it, dies of
that at once, and by the status words it can be told which one it was. What is left of its own pages on both sides is
filled with a pattern, which is compared afterwards.
"""

from __future__ import annotations

import ctypes
import math
import mmap
from collections.abc import Sequence
from typing import Any, Final

from fathom.execution.outcome import RunProblem
from fathom.execution.protocol import Header
from fathom.execution.runtime import FIRST_EXTENT, MOST_EXTENTS

ALIGNMENT: Final = 64
GUARD: Final = 1 << 16
"""How many bytes on either side of a buffer nobody may touch."""
_PATTERN: Final = 0xA5
OF_GLOBALS: Final = 0xDEADBEEF
"""What MLIR gives as the pointer with which a global was allocated."""
_DEEPEST: Final = 64
"""No memref has more dimensions; a rank beyond it was not written by a program that works."""


class _Guarded:
    """A buffer of so many bytes; `argument` is the number of the one whose elements it holds."""

    def __init__(self, size: int, argument: int | None) -> None:
        self.size, self.argument = size, argument
        room = _rounded(max(size, 1), ALIGNMENT)
        pages = _rounded(room, mmap.PAGESIZE)
        try:
            self._memory = mmap.mmap(-1, pages + 2 * GUARD, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except (OSError, ValueError, OverflowError, MemoryError):
            message = f"an argument takes {size} bytes, which is more memory than there is"
            raise RunProblem("memory-limit", message, {"requested": size}) from None
        base = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._first, self._end = base + GUARD, base + GUARD + pages
        self.start = self._end - room
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for guard in (base, self._end):
            protect(guard, GUARD, 0)
        for begin, count in self._slack():
            ctypes.memset(begin, _PATTERN, count)

    @property
    def extent(self) -> tuple[int, int, int] | None:
        """What the status words say of an argument."""
        return (self.start, self.size, self.argument) if self.argument is not None else None

    def damaged(self) -> str | None:
        """On which side of an argument something was written."""
        if self.argument is None:
            return None
        for (begin, count), side in zip(self._slack(), ("before the beginning of", "beyond the end of"), strict=True):
            if ctypes.string_at(begin, count) != bytes((_PATTERN,)) * count:
                return side
        return None

    def _slack(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Address and length of what is left of the pages, before the buffer and behind it."""
        end = self.start + self.size
        return (self._first, self.start - self._first), (end, self._end - end)


def _rounded(size: int, unit: int) -> int:
    return -(-size // unit) * unit


class Memory:
    """The buffers of a call, at their addresses. `status` are the status words, where they are noted."""

    def __init__(
        self, buffers: Sequence[Header], pointers: Sequence[Sequence[int]], blob: bytes, status: ctypes.Array[Any]
    ) -> None:
        self.addresses: list[int] = []
        self._guarded = [_Guarded(buffer["size"], buffer.get("argument")) for buffer in buffers]
        for buffer, guarded in zip(buffers, self._guarded, strict=True):
            offset, length = buffer["data"]
            _fill(guarded.start, guarded.size, blob[offset : offset + length])
            self.addresses.append(guarded.start)
        extents = [guarded.extent for guarded in self._guarded if guarded.extent is not None]
        for number, extent in enumerate(extents[:MOST_EXTENTS]):
            status[FIRST_EXTENT + 3 * number : FIRST_EXTENT + 3 * number + 3] = extent
        for home, offset, target in pointers:
            ctypes.c_uint64.from_address(self.addresses[home] + offset).value = self.addresses[target]
        # Pairs of an address and a flag, which the runtime's `free` sets instead of freeing; a null ends them.
        self.kept = (ctypes.c_uint64 * (2 * len(self.addresses) + 2))()
        self.kept[: 2 * len(self.addresses) : 2] = self.addresses

    def check(self) -> None:
        """Raise RunProblem if the program wrote beside an argument."""
        for guarded in self._guarded:
            if (side := guarded.damaged()) is not None:
                message = f"the program wrote {side} argument #{guarded.argument}, which has {guarded.size} bytes"
                raise RunProblem("crash", message, {"argument": guarded.argument})

    def freed(self, buffer: int | None) -> bool:
        """Whether the program freed the buffer."""
        return buffer is not None and bool(self.kept[2 * buffer + 1])

    def returned(self, views: Sequence[Header]) -> set[int]:
        """The addresses of what the memrefs among the results were allocated as, and of descriptors of those without a
        rank: all of that is the caller's to free. What comes from arguments or globals is not among it."""
        addresses: set[int] = set()
        for view in views:
            if "at" not in view or "owner" in view:
                continue
            home: tuple[int, int] = view["at"]
            address = self.addresses[home[0]] + home[1]
            if view["rank"] < 0:
                address = ctypes.c_int64.from_address(address + 8).value
                addresses.add(address)
            addresses.add(ctypes.c_int64.from_address(address).value)
        return addresses - {0, OF_GLOBALS, *self.addresses}

    def read(self, view: Header, most: int) -> tuple[list[int], bytes]:
        """Shape and first elements, row-major, of the memref whose words the view points at, or of a whole buffer."""
        if "whole" in view:
            count: int = view["count"]
            return [count], ctypes.string_at(self.addresses[int(view["whole"])], min(count, most) * int(view["size"]))
        home: tuple[int, int] = view["at"]
        address = self.addresses[home[0]] + home[1]
        rank: int = view["rank"]
        size: int = view["size"]
        if rank < 0:
            rank = ctypes.c_int64.from_address(address).value
            address = ctypes.c_int64.from_address(address + 8).value
        if not 0 <= rank <= _DEEPEST:
            raise RunProblem("crash", f"the program returned an unranked memref of rank {rank}, which cannot be right")
        words = (ctypes.c_int64 * (3 + 2 * rank)).from_address(address)
        shape, strides = words[3 : 3 + rank], words[3 + rank :]
        if any(extent < 0 for extent in shape):
            raise RunProblem("crash", f"the program returned a memref with the extents {shape}, which cannot be right")
        start = words[1] + words[2] * size
        if start == 0 and math.prod(shape):
            raise RunProblem("crash", "the program returned a memref with elements, but with a null pointer to them")
        return shape, gather(start, shape, strides, size, min(math.prod(shape), most))


def _fill(address: int, size: int, data: bytes) -> None:
    """Write the data to the memory, again and again until it is full; zeros if there is none."""
    if not data:
        ctypes.memset(address, 0, size)
        return
    done = min(len(data), size)
    ctypes.memmove(address, data, done)
    while done < size:
        step = min(done, size - done)
        ctypes.memmove(address + done, address, step)
        done += step


def gather(start: int, shape: Sequence[int], strides: Sequence[int], size: int, count: int) -> bytes:
    """The bytes of the first `count` elements."""
    if count == 0:
        return b""
    run, dimensions = 1, list(zip(shape, strides, strict=True))
    while dimensions and (dimensions[-1][1] == run or dimensions[-1][0] == 1):
        run *= dimensions.pop()[0]
    pieces = list[bytes]()
    for number in range(-(-count // run)):
        place = 0
        for extent, stride in reversed(dimensions):
            number, index = divmod(number, extent)
            place += index * stride
        length = min(run, count - len(pieces) * run)
        pieces.append(ctypes.string_at(start + place * size, length * size))
    return b"".join(pieces)
