"""Lines of a log as the tool printed them: without colours, carriage returns, and what the log put in front of them.

2026-01-31T10:20:30.1234567Z module {         module {
2026-01-31T10:20:30.1234568Z   func.func  ->    func.func
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from mmap import mmap

_COLOUR: Final = re.compile(r"\x1b(?:\[[0-9:;<=>?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)|[@-Z\\^_])")
"""The control sequences of ECMA-48 that a terminal obeys, and titles and links of terminals."""
_NUMBER: Final = re.compile(r"\s*\d+")
Strip: TypeAlias = "Callable[[str], str | None]"
Bytes: TypeAlias = "bytes | mmap"
"""What a log is read from: bytes, or a file that is mapped."""


def plain(data: bytes) -> str:
    """A line without colours and its end. What is no UTF-8 is replaced."""
    text = data.decode("utf-8", "replace").rstrip("\r\n")
    return _COLOUR.sub("", text) if "\x1b" in text else text


def lines_between(data: Bytes, begin: int, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a part of a log, each with the offset behind it."""
    at = begin
    while at < end:
        stop = data.find(b"\n", at, end) + 1 or end
        yield stop, data[at:stop]
        at = stop


@lru_cache(maxsize=64)
def stripping(prefix: str) -> Strip:
    """What takes off what a log puts in front of its lines, of which one is known: other numbers may stand in others.
    It gives None of a line that the log did not begin so, which another program wrote."""
    if not prefix.strip():
        return lambda line: line.removeprefix(prefix)
    pieces: list[str] = []
    at = 0
    for number in _NUMBER.finditer(prefix):
        pieces += (re.escape(prefix[at : number.start()]), r"\s*+\d++")
        at = number.end()
    pieces.append(re.escape(prefix[at:]))
    begins = re.compile("".join(pieces))
    # Some take the blank off where nothing follows.
    ends = re.compile("".join([*pieces[:-1], re.escape(prefix[at:].rstrip())]))

    def strip(line: str) -> str | None:
        match = begins.match(line)
        if match is not None:
            return line[match.end() :]
        return "" if ends.fullmatch(line) else None

    return strip
