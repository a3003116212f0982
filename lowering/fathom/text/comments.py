"""Lines of a text that are comments with a word in front that says what they are for."""

from __future__ import annotations

_BLANKS = " \t"


class Marked:
    """What stands behind the mark, by where it begins and ends in the line, without the blanks around it; and whether
    a backslash at its end says that the next line goes on with it."""

    __slots__ = ("end", "goes_on", "start")

    def __init__(self, start: int, end: int, *, goes_on: bool) -> None:
        self.start = start
        self.end = end
        self.goes_on = goes_on


def marked(line: str, mark: str) -> Marked | None:
    """What a line says that is a comment `// MARK …` and nothing else; None for another. It takes time by its length
    alone, whatever it says."""
    behind = line.lstrip(_BLANKS)
    if not behind.startswith("//"):
        return None
    behind = behind[2:].lstrip(_BLANKS)
    if not behind.startswith(mark):
        return None
    said = behind[len(mark) :].lstrip(_BLANKS)
    start = len(line) - len(said)
    said = said.rstrip("\r\n").rstrip(_BLANKS)
    goes_on = said.endswith("\\")
    said = said.removesuffix("\\").rstrip(_BLANKS)
    return Marked(start, start + len(said), goes_on=goes_on)
