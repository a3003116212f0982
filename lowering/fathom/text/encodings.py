"""Columns in the encodings that editors count in: UTF-8 bytes, UTF-16 units, UTF-32 characters.

Inside Fathom a column counts characters; these functions stand at its border.
Source of the rules: *Language Server Protocol*, "Position encodings".
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]

_CHUNK: Final = 4096
"""So many characters are measured at a time."""


def utf8(text: str) -> bytes:
    """The bytes of a text. Half a surrogate pair is a byte that was no UTF-8 when the text was read, or else, as no
    file can hold it, three bytes of its own."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def to_units(line: str, column: int, encoding: Encoding) -> int:
    """How many units of the encoding the first `column` characters of a line take."""
    if encoding == "utf-32" or line.isascii():
        return column
    head = line[:column]
    if encoding == "utf-16":
        return len(head.encode("utf-16-le", "surrogatepass")) // 2
    return len(head.encode("utf-8", "surrogatepass"))


def from_units(line: str, units: int, encoding: Encoding) -> int:
    """The number of characters in the first `units` units of a line. A position inside a character is its beginning;
    one past the end of the line is the end, before the line end."""
    limit = len(line)
    while limit and line[limit - 1] in "\r\n":
        limit -= 1
    if encoding == "utf-32" or line.isascii():
        return max(min(units, limit), 0)
    taken = start = 0
    while (
        start < limit
        and (more := taken + to_units(chunk := line[start : start + _CHUNK], len(chunk), encoding)) <= units
    ):
        taken, start = more, start + _CHUNK
    for column in range(start, limit):
        width = _width(line[column], encoding)
        if taken + width > units:
            return column
        taken += width
    return limit


def _width(character: str, encoding: Encoding) -> int:
    if encoding == "utf-16":
        return 2 if character > "\uffff" else 1
    return len(character.encode("utf-8", "surrogatepass"))
