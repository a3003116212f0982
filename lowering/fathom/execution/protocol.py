"""Frames between the server and the worker: eight bytes of lengths, a JSON object, and the bytes it refers to.

A JSON object refers to a piece of the bytes as `[offset, length]`. Large data (memrefs) stays out of the JSON.

The worker first sends `{"ready": pid}`, or `{"failed": why}`. To each request it answers `{"accepted": true}` when it
has read all of it, and then, when the program is over, one frame with what came of it.
"""

from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

Header: TypeAlias = dict[str, Any]
_LENGTHS: Final = struct.Struct("<II")
LARGEST: Final = 1 << 31
"""No frame is larger, in bytes; a length beyond it means that the stream is damaged."""


class Damaged(Exception):
    """What was read is not a frame."""


def frame(header: Mapping[str, object], blob: bytes = b"") -> bytes:
    """The bytes of a frame."""
    text = json.dumps(header, separators=(",", ":")).encode()
    if max(len(text), len(blob)) >= LARGEST:
        raise ValueError("more data than one frame can hold")
    return _LENGTHS.pack(len(text), len(blob)) + text + blob


def read_frame(read: Callable[[int], bytes]) -> tuple[Header, bytes] | None:
    """The next frame, or None at the end of the stream. `read(n)` gives exactly n bytes, or fewer at the end."""
    lengths = read(_LENGTHS.size)
    if not lengths:
        return None
    if len(lengths) < _LENGTHS.size:
        raise Damaged("the stream ended inside a frame")
    text_length, blob_length = _LENGTHS.unpack(lengths)
    if max(text_length, blob_length) >= LARGEST:
        raise Damaged("the lengths of a frame make no sense")
    text, blob = read(text_length), read(blob_length)
    if len(text) < text_length or len(blob) < blob_length:
        raise Damaged("the stream ended inside a frame")
    try:
        return json.loads(text), blob
    except ValueError as problem:
        raise Damaged(f"a frame does not hold JSON: {problem}") from None


def read_exactly(descriptor: int, count: int) -> bytes:
    """So many bytes of a descriptor, or fewer at the end of what it gives."""
    data = bytearray()
    while len(data) < count:
        piece = os.read(descriptor, min(count - len(data), 1 << 20))
        if not piece:
            break
        data += piece
    return bytes(data)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of it, in as many parts as it takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class FrameParser:
    """Collects bytes as they come until they are a frame, neither part of which may have more than `most` bytes."""

    def __init__(self, most: int = LARGEST) -> None:
        self._bytes = bytearray()
        self._most = most

    def feed(self, data: bytes = b"") -> tuple[Header, bytes] | None:
        """The next frame, once it is complete. Bytes beyond it are kept for the next call."""
        self._bytes += data
        if len(self._bytes) < _LENGTHS.size:
            return None
        text_length, blob_length = _LENGTHS.unpack_from(self._bytes)
        if max(text_length, blob_length) >= self._most:
            raise Damaged("the lengths of a frame make no sense")
        end = _LENGTHS.size + text_length + blob_length
        if len(self._bytes) < end:
            return None
        whole = io.BytesIO(self._bytes[:end])
        del self._bytes[:end]
        return read_frame(whole.read)


def most_elements(view: Header, limits: Header) -> int:
    """How many elements of an array come back at most."""
    return max(limits["elements"], limits["arrayBytes"] // max(view["size"], 1))
