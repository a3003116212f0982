"""Long texts as they are shown, by their beginning, and those that are too long to be written."""

from __future__ import annotations

from typing import Final

MOST_OUTPUT: Final = 1 << 29
"""No text of more characters is written."""
MOST_REPEATED: Final = 3 << 26
"""So many characters at most are types and elements that LLVM IR says again and again, and MLIR once. They are
held several times over: as lines, as the text, and where LLVM reads it."""
MOST_IN_EDITOR: Final = 1 << 24
"""No text of more characters is written for an editor, or to compare what two texts mean."""
LONGEST_MESSAGE: Final = 10_000
"""Of a message so many characters are shown, which may hold a name or a type of any length."""


def beginning(text: str, most: int) -> str:
    """A text of no more than so many characters, and a sign that it goes on."""
    return text if len(text) <= most else f"{text[:most]}…"


def shortened(text: str, most_in_line: int, most_lines: int) -> str:
    """The beginnings of the first lines of a text."""
    lines = text.split("\n", most_lines)
    kept = [beginning(line, most_in_line) for line in lines[:most_lines]]
    return "\n".join([*kept, "…"] if len(lines) > most_lines else kept)


class TextTooLong(Exception):
    """What is to be written stands for more text than anybody could hold: aliases or a type made it of very little."""
