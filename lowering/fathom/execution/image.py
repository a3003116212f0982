"""The memory of a call before it: buffers, and the words in them that hold addresses of other buffers.

Buffer 0 holds the packed arguments and buffer 1 the packed results (see `trampoline`); the rest are the data of
memrefs, the descriptors of unranked ones, and what pointers point to.
"""

from __future__ import annotations

from typing import Final

from fathom.execution.layouts import element_size
from fathom.execution.literals import Contents
from fathom.execution.protocol import Header
from fathom.ir.types import MemRefType, Type
from fathom.records import field, record

ARGUMENTS: Final = 0
RESULTS: Final = 1


@record
class Seen:
    """An array that is read after the call: the number of the argument that it came with, or -1 if it is a result; the
    type of the memref or tensor, or of the elements behind a pointer; its elements; what it held before. `is_text` is
    one that was given as a text; `is_one` is a single value, which is no array."""

    argument: int
    type: Type
    element: Type
    before: Contents | None = None
    is_text: bool = False
    is_one: bool = False
    path: str = ""
    """Where it was given, such as `arguments[0][1]`."""


@record(frozen=False)
class Image:
    """The memory of a call, in the form that the worker is sent (`header`, referring to `blob`)."""

    blob: bytearray = field(default_factory=bytearray)
    buffers: list[Header] = field(default_factory=list[Header])
    pointers: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    views: list[Header] = field(default_factory=list[Header])
    """The arrays to read after the call: those of the arguments, then those of the results."""
    seen: list[Seen] = field(default_factory=list[Seen])
    """What they are, one for each view."""
    size: int = 0

    def add(self, size: int, data: bytes = b"", argument: int | None = None) -> int:
        """A buffer of `size` bytes that starts with `data`, or repeats it if it divides the size; its number. With
        `argument` the buffer holds the elements of one."""
        buffer: Header = {"size": size, "data": [len(self.blob), len(data)]}
        if argument is not None:
            buffer["argument"] = argument
        self.buffers.append(buffer)
        self.blob += data
        self.size += size
        return len(self.buffers) - 1

    def replace(self, buffer: int, data: bytes) -> None:
        """Give a buffer its contents."""
        self.buffers[buffer]["data"] = [len(self.blob), len(data)]
        self.blob += data

    def view(self, type: MemRefType, buffer: int, offset: int, seen: Seen, owner: int | None = None) -> None:
        """Have the memref read whose words lie at `offset` in the buffer; `owner` is the buffer of its elements."""
        rank = -1 if type.shape is None else len(type.shape)
        view: Header = {"at": [buffer, offset], "rank": rank, "size": element_size(type.element)}
        if owner is not None:
            view["owner"] = owner
        self.views.append(view)
        self.seen.append(seen)

    def view_buffer(self, buffer: int, count: int, seen: Seen) -> None:
        """Have a buffer read that holds so many elements."""
        size = element_size(seen.element)
        self.views.append({"whole": buffer, "count": count, "size": size, "owner": buffer})
        self.seen.append(seen)

    def header(self) -> Header:
        """What the worker is told of it."""
        return {"buffers": self.buffers, "pointers": self.pointers, "views": self.views}
