"""Places in files that describe dialects, and what is wrong there.

Lines count from 0, and columns in characters; the text of the line is with them, for those who count otherwise.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from fathom.records import record, replace

Severity: TypeAlias = Literal["error", "warning", "note"]


@record
class Place:
    """A part of a line of a file, whose `text` it is."""

    path: str
    line: int
    start: int
    end: int
    text: str


@record
class Finding:
    """What is wrong with a file, or a note about it. `key` is that of the table of a description that it is about, if
    it is about one."""

    message: str
    place: Place
    severity: Severity = "error"
    key: str = ""

    def __str__(self) -> str:
        place = self.place
        what = f"{self.key}: {self.message}" if self.key else self.message
        note = "note: " if self.severity == "note" else ""
        return f"{place.path}:{place.line + 1}:{place.start + 1}: {note}{what}"

    def at(self, place: Place) -> Finding:
        return replace(self, place=place)


def place_in(path: str, text: str, start: int, end: int) -> Place:
    """The place of a part of a text, as far as it is in one line."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", first)
    line = text[first : last if last >= 0 else len(text)]
    return Place(path, text.count("\n", 0, start), start - first, min(end - first, len(line)), line)
