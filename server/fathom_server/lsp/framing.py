"""Messages out of the bytes of a stream, as the protocol frames them: a head of lines, an empty line, and a body.

Source: Language Server Protocol 3.17, *Base Protocol*. Names of head lines are read in any case, as HTTP's are.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

LARGEST: Final = 256 << 20
"""No message has more bytes."""
_LONGEST_HEAD: Final = 8 << 10
_LENGTH: Final = "content-length"


class Refused(Exception):
    """What came is no message of the protocol, or none that is taken; the connection cannot go on. It says why."""


class MessageParser:
    """Collects bytes as they come until they are messages.

    A head may have other lines than those of the protocol, but not where it is `strict`: from a socket, such lines are
    the sign of someone who speaks HTTP. `besides` are names of lines that are allowed all the same. No message has more
    than `largest` bytes, which may be changed between messages.
    """

    def __init__(self, *, strict: bool = False, besides: tuple[str, ...] = (), largest: int = LARGEST) -> None:
        self.largest = largest
        self.head: dict[str, str] = {}
        """The lines of the last head, by their names in lower case."""
        self._buffer = bytearray()
        self._length = -1
        self._allowed = {_LENGTH, "content-type", *besides} if strict else None

    def feed(self, data: bytes) -> Generator[bytes | bytearray, None, None]:
        """The bodies of the messages that are complete. Raises Refused."""
        self._buffer += data
        while self._read_head() and len(self._buffer) >= self._length:
            body, self._buffer = self._split(self._length)
            self._length = -1
            yield body

    def _split(self, count: int) -> tuple[bytes | bytearray, bytearray]:
        """The first bytes, and the rest. A long message usually comes alone, and need not be copied."""
        if count == len(self._buffer):
            return self._buffer, bytearray()
        return bytes(memoryview(self._buffer)[:count]), self._buffer[count:]

    def _read_head(self) -> bool:
        """Whether the length of the next body is known."""
        if self._length >= 0:
            return True
        end = self._end_of_head()
        if end is None:
            self._judge_beginning()
            return False
        lines, self._buffer = self._split(end)
        self.head = {}
        for line in bytes(lines).decode("latin-1").splitlines():
            if line.strip():
                self._take(line)
        if self.head:
            self._length = self._length_of_body()
        return bool(self.head) or self._read_head()

    def _end_of_head(self) -> int | None:
        """Behind the empty line, if it is there: lines end with CR LF, or with LF alone."""
        ends = [
            place + len(mark)
            for mark in (b"\r\n\r\n", b"\n\n")
            if (place := self._buffer.find(mark, 0, _LONGEST_HEAD)) >= 0
        ]
        if self._buffer.startswith(b"\r\n"):
            ends.append(2)
        elif self._buffer.startswith(b"\n"):
            ends.append(1)
        return min(ends, default=None)

    def _judge_beginning(self) -> None:
        """Refuse at once what will never be a head."""
        if len(self._buffer) > _LONGEST_HEAD:
            raise Refused(f"the head of a message is longer than {_LONGEST_HEAD} bytes")
        line, end, _ = bytes(self._buffer).partition(b"\n")
        if end and self._allowed is not None:
            self._take(line.decode("latin-1"))

    def _take(self, line: str) -> None:
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if self._allowed is not None and (not colon or name not in self._allowed):
            raise Refused("this is a language server, which speaks its own protocol and not HTTP")
        self.head[name] = value.strip()

    def _length_of_body(self) -> int:
        text = self.head.get(_LENGTH)
        if text is None:
            raise Refused("a message does not say its Content-Length")
        if not (text.isascii() and text.isdigit()):
            raise Refused(f"the Content-Length {text[:40]!r} is no number")
        if len(text) > 15 or int(text) > self.largest:
            raise Refused(f"a message of {text[:40]} bytes is longer than {self.largest} bytes, and is not read")
        return int(text)
