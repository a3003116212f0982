"""Memory that a program in another process shares with this one: where the arguments of a call lie in it.

Arrays whose memory overlaps are one region, so that they overlap for the program too. Each region lies at the end of
its pages, between others that the program must not touch; what is left of its own pages has a pattern in it, which is
compared afterwards. Words and elements are copied in before a call, and what it may have written is copied out after
it.
"""

from __future__ import annotations

import mmap
import os
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fathom.execution.buffers import ALIGNMENT, GUARD
from fathom.execution.outcome import RunProblem
from fathom.execution.runtime import STATUS_WORDS
from fathom.llvm.printed import scratch_file
from fathom.programs.returned import bounds_of
from fathom.records import field, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.programs.element_types import Array

_PAGE: Final = mmap.PAGESIZE
_HEAD: Final = -(-8 * STATUS_WORDS // _PAGE) * _PAGE
_PATTERN: Final = 0xA5
_SMALLEST: Final = 1 << 20


@record(frozen=False)
class Region:
    """Arrays that overlap: the addresses between which they lie here, and where that begins in the arena; the first
    argument among them."""

    low: int
    high: int
    argument: int
    arrays: list[Array] = field(default_factory=lambda: [])
    start: int = 0

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self.high - self.low

    @property
    def room(self) -> int:
        """How many bytes of its pages are its own: a multiple of the alignment."""
        return -(-max(self.size, 1) // ALIGNMENT) * ALIGNMENT

    @property
    def pages(self) -> int:
        """How many bytes its pages have."""
        return -(-self.room // _PAGE) * _PAGE


@record
class Laid:
    """Where what is passed lies: the words of arguments and of results, and the regions of the arrays."""

    arguments: int
    results: int
    regions: list[Region]
    size: int

    def guards(self, size: int) -> list[tuple[int, int]]:
        """The pages that the program must not touch: before each region, and behind the last to the end of the arena,
        which has so many bytes."""
        if not self.regions:
            return []
        before = [(region.start + region.room - region.pages - GUARD, GUARD) for region in self.regions]
        end = self.regions[-1].start + self.regions[-1].room
        return [*before, (end, size - end)]

    @property
    def extents(self) -> list[tuple[int, int, int]]:
        """Where each region begins, how large it is, and whose it is."""
        return [(region.start, region.size, region.argument) for region in self.regions]

    def region_at(self, place: int) -> Region | None:
        """The region in which a place of the arena is."""
        return next((each for each in self.regions if each.start <= place < each.start + max(each.size, 1)), None)


def lay_out(arrays: Sequence[tuple[int, Array]], words: int, results: int) -> Laid:
    """Places for the words of arguments and results, of these sizes, and for arrays with the numbers of their
    arguments."""
    regions = _regions(arrays)
    behind = _HEAD + _rounded(words, ALIGNMENT)
    place = _rounded(behind + max(results, 1), _PAGE)
    for region in regions:
        place += GUARD + region.pages
        region.start = place - region.room
    return Laid(_HEAD, behind, regions, place + GUARD)


def _regions(arrays: Sequence[tuple[int, Array]]) -> list[Region]:
    made: list[Region] = []
    placed = sorted(((*bounds_of(array), number, array) for number, array in arrays), key=lambda each: each[:3])
    for low, high, number, array in placed:
        if made and low < made[-1].high:
            last = made[-1]
            last.high, last.argument = max(last.high, high), min(last.argument, number)
        else:
            made.append(Region(low, high, number))
        made[-1].arrays.append(array)
    return made


def _rounded(size: int, unit: int) -> int:
    return -(-size // unit) * unit


class Arena:
    """The file that both processes map."""

    def __init__(self) -> None:
        self.descriptor = scratch_file()
        self.size = 0
        self._map: mmap.mmap | None = None
        self.grow(_SMALLEST)

    def grow(self, size: int) -> bool:
        """Have room for so many bytes; whether there was less. Raises RunProblem if there is no such memory."""
        if size <= self.size:
            return False
        wanted = _rounded(max(size, 2 * self.size), _PAGE)
        try:
            os.ftruncate(self.descriptor, wanted)
            # Views of the one before may still be in use; it goes with them.
            self._map = mmap.mmap(self.descriptor, wanted)
        except (OSError, ValueError, OverflowError, MemoryError):
            message = f"the arguments take {size} bytes, which is more memory than there is"
            raise RunProblem("memory-limit", message, {"requested": size}) from None
        self.size = wanted
        return True

    def close(self) -> None:
        """Let go of the memory, when nobody looks at it any more."""
        if self._map is not None:
            self._map = None
            os.close(self.descriptor)

    @property
    def memory(self) -> mmap.mmap:
        """The bytes. Raises ValueError when it is closed."""
        if self._map is None:
            raise ValueError("the arena is closed")
        return self._map

    def status(self) -> list[int]:
        """The status words."""
        return np.frombuffer(self.memory, np.uint64, STATUS_WORDS).tolist()

    def view(self, region: Region, array: Array) -> Array:
        """An array as it lies in the arena."""
        offset = region.start + array.__array_interface__["data"][0] - region.low
        made: Any = np.ndarray(array.shape, array.dtype, self.memory, offset, array.strides)
        return made

    def write(self, place: int, data: bytes) -> None:
        """Put bytes at a place."""
        self.memory[place : place + len(data)] = data

    def read(self, place: int, size: int) -> bytes:
        """The bytes at a place."""
        return self.memory[place : place + size]

    def copy_in(self, laid: Laid) -> None:
        """Put the elements of all arrays at their places, and the pattern around them."""
        for region in laid.regions:
            for begin, size in _slack(region):
                self.memory[begin : begin + size] = bytes((_PATTERN,)) * size
            for array in region.arrays:
                if array.size:
                    np.copyto(self.view(region, array), array)

    def copy_out(self, laid: Laid, written: Sequence[Array]) -> None:
        """Take over what was written to some of the arrays. Raises RunProblem where the program wrote beside one."""
        for region in laid.regions:
            for (begin, size), side in zip(
                _slack(region), ("before the beginning of", "beyond the end of"), strict=True
            ):
                if self.memory[begin : begin + size] != bytes((_PATTERN,)) * size:
                    message = f"the program wrote {side} argument #{region.argument}, which has {region.size} bytes"
                    raise RunProblem("crash", message, {"argument": region.argument})
            for array in region.arrays:
                if array.size and any(array is each for each in written):
                    np.copyto(array, self.view(region, array))


def _slack(region: Region) -> tuple[tuple[int, int], tuple[int, int]]:
    """Place and length of what is left of a region's pages, before it and behind it."""
    end = region.start + region.size
    first = region.start + region.room - region.pages
    return (first, region.start - first), (end, region.start + region.room - end)
