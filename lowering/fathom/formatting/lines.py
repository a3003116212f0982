"""Lines of text by what formatting asks of them: their end, and what stands before it."""

from __future__ import annotations

from typing import Final

from fathom.syntax.carried import short
from fathom.syntax.lexer import SPACE

TAB: Final = 4
"""Columns that a tab is taken for."""


def line_end(line: str) -> str:
    """The characters that end a line."""
    return "\r\n" if line.endswith("\r\n") else line[-1:] if line.endswith(("\n", "\r")) else ""


def content_end(line: str) -> int:
    """Where the content of a line ends: before white space and the line's end."""
    text = short(line)
    return len(line) - (len(text) - len(text.rstrip(SPACE)))


def margin(line: str) -> int:
    """The column at which a line's content begins."""
    column = 0
    for character in short(line):
        if character not in SPACE:
            break
        column += TAB if character == "\t" else 1
    return column


def is_blank(line: str) -> bool:
    return not short(line).strip(SPACE)
