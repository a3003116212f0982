"""Diagnostics in mlir-opt's form: `file:line:column: error: text`, the source line, and a caret under the column.

Columns count bytes, as mlir-opt does. A line with characters beyond ASCII gets no caret line, and tabs are spaces up
to the next multiple of eight, as LLVM's source manager prints them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TextIO

from fathom.cli.streams import Input
from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Span

TAB_STOP = 8
WORDS = {"error": "error", "warning": "warning", "information": "remark", "hint": "remark"}


class Reporter:
    """Writes diagnostics about one input. `offset` is where the text that they are about starts in it."""

    def __init__(self, source: Input, stream: TextIO) -> None:
        self.source = source
        self.stream = stream
        self.starts = [0]
        position = source.text.find("\n")
        while position >= 0:
            self.starts.append(position + 1)
            position = source.text.find("\n", position + 1)

    def report(self, diagnostics: Iterable[Diagnostic], offset: int = 0) -> None:
        for diagnostic in diagnostics:
            self.message(WORDS[diagnostic.severity], diagnostic.message, diagnostic.span, offset)
            for note in diagnostic.notes:
                self.message("note", note.message, note.span or diagnostic.span, offset)

    def message(self, word: str, text: str, span: Span | None, offset: int = 0) -> None:
        """One message; without a span it is about the whole input."""
        if span is None:
            self.stream.write(f"{self.source.name}:0:0: {word}: {text}\n")
            return
        line, column = self.position(span.start + offset)
        start = self.starts[line]
        end = self.source.text.find("\n", start)
        content = self.source.text[start : end if end >= 0 else len(self.source.text)].removesuffix("\r")
        byte_column = len(content[:column].encode("utf-8", "surrogateescape"))
        self.stream.write(f"{self.source.name}:{line + 1}:{byte_column + 1}: {word}: {text}\n")
        self.stream.write(_expand(content) + "\n")
        if content.isascii():
            self.stream.write(_caret(content, column) + "\n")

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, in characters, from 0."""
        offset = min(offset, len(self.source.text))
        line = bisect_right(self.starts, offset) - 1
        return line, offset - self.starts[line]


def _expand(content: str) -> str:
    out = ""
    for character in content:
        out += " " * (TAB_STOP - len(out) % TAB_STOP) if character == "\t" else character
    return out


def _caret(content: str, column: int) -> str:
    marks = " " * column + "^"
    out = ""
    for index, mark in enumerate(marks):
        is_tab = index < len(content) and content[index] == "\t"
        out += mark * (TAB_STOP - len(out) % TAB_STOP) if is_tab else mark
    return out.rstrip()
