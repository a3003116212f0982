"""A source text by line and column, and messages about it as LLVM's source manager prints them.

`file:line:column: error: text`, the source line, and a caret under the column. Columns count bytes. A line with
characters beyond ASCII gets no caret line, and tabs are spaces up to the next multiple of eight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.ir.locations import FileLineColLoc, LocationAttr, UnknownLoc
from fathom.messages.message import Message, MessageSeverity, call_stack, file_location
from fathom.text.beginnings import LONGEST_MESSAGE
from fathom.text.encodings import utf8
from fathom.text.lines import Lines

TAB_STOP: Final = 8
_DEEPEST_CALL_STACK: Final = 10


class Source:
    """A text with the name that messages give it."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._lines = Lines(text)

    @property
    def lines(self) -> Iterator[str]:
        """The lines without their line ends."""
        return map(self._lines.line, range(1, len(self._lines) + 1))

    def location(self, offset: int) -> FileLineColLoc:
        """Line and column of an offset into the text."""
        return FileLineColLoc(self.name, *self._lines.place(min(offset, len(self.text))))

    def render(self, message: Message) -> str:
        """The lines that a message and its notes take. A source line is not shown twice in a row."""
        text = self._one(message.severity, message.text, message.location, message.marked)
        last = message.location
        for caller in list(call_stack(message.location))[:_DEEPEST_CALL_STACK]:
            text += self._one("note", "called from", caller)
            last = caller
        for note in message.notes:
            text += self._one(note.severity, note.text, note.location, show_line=note.location != last)
            last = note.location
        return text

    def _one(
        self, severity: MessageSeverity, text: str, location: LocationAttr, marked: int = 1, *, show_line: bool = True
    ) -> str:
        place = file_location(location)
        if place is None:
            shown = "" if isinstance(location, UnknownLoc) else f"{location}: "
            return f"<unknown>:0: {severity}: {shown}{text}\n"
        head = f"{place.file}:{place.line}:{place.column}: {severity}: {text}\n"
        known = place.file == self.name and 0 < place.line <= len(self._lines) and place.column > 0
        if not (known and show_line):
            return head
        line = self._lines.line(place.line)
        if len(line) > LONGEST_MESSAGE or len(utf8(line)) < place.column - 1:
            return head
        head += _expand(line) + "\n"
        return head + _caret(line, place.column - 1, marked) + "\n" if line.isascii() else head


def _expand(content: str) -> str:
    out = ""
    for character in content:
        out += " " * (TAB_STOP - len(out) % TAB_STOP) if character == "\t" else character
    return out


def _caret(content: str, column: int, marked: int) -> str:
    marks = " " * column + "^" + "~" * (min(marked, len(content) - column) - 1)
    out = ""
    for index, mark in enumerate(marks):
        is_tab = index < len(content) and content[index] == "\t"
        out += mark * (TAB_STOP - len(out) % TAB_STOP) if is_tab else mark
    return out.rstrip()
