"""Columns in the encodings that editors count in: UTF-8 bytes, UTF-16 units, UTF-32 characters.

Inside Fathom a column counts characters; these functions stand at its border.
Source of the rules: *Language Server Protocol*, "Position encodings".
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Encoding: TypeAlias = Literal["utf-8", "utf-16", "utf-32"]


def to_units(line: str, column: int, encoding: Encoding) -> int:
    """How many units of the encoding the first `column` characters of a line take."""
    if encoding == "utf-32" or line.isascii():
        return column
    head = line[:column]
    if encoding == "utf-16":
        return column + sum(character > "\uffff" for character in head)
    return len(head.encode("utf-8", "surrogatepass"))


def from_units(line: str, units: int, encoding: Encoding) -> int:
    """The number of characters in the first `units` units of a line. A position inside a character is its beginning;
    one past the end of the line is the end, before the line end."""
    limit = len(line.rstrip("\r\n"))
    if encoding == "utf-32" or line.isascii():
        return max(min(units, limit), 0)
    taken = 0
    for column, character in enumerate(line[:limit]):
        width = _width(character, encoding)
        if taken + width > units:
            return column
        taken += width
    return limit


def _width(character: str, encoding: Encoding) -> int:
    if encoding == "utf-16":
        return 2 if character > "\uffff" else 1
    return len(character.encode("utf-8", "surrogatepass"))
