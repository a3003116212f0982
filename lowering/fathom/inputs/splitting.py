"""`--split-input-file`: the parts of an input between marker lines, each processed on its own.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.messages.message import Message
from fathom.messages.source import Source
from fathom.records import record

MARKER: Final = "// -----"
_ENDING: Final = 2
"""A line that has all of the marker but for so many characters was probably meant to be one."""
LEAST_LINES: Final = 1_000
"""So many lines are worth a process that reads them (`shares.py`)."""


@record
class Chunk:
    """A part of an input, with the offset at which it starts."""

    text: str
    offset: int

    @property
    def is_long(self) -> bool:
        """Whether it has lines enough for two processes."""
        return self.text.count("\n") >= 2 * LEAST_LINES


def split(source: Source, marker: str) -> tuple[list[Chunk], list[Message]]:
    """The parts, and a warning for each text that is nearly a marker. An empty marker splits nothing, and parts
    without any text at the beginning and the end are left out."""
    if not marker:
        return [Chunk(source.text, 0)], []
    text, stem, ending = source.text, marker[:-_ENDING], marker[-_ENDING:]
    chunks: list[Chunk] = []
    warnings: list[Message] = []
    start = 0
    at = text.find(stem)
    while stem and at >= 0:
        rest = at + len(stem)
        behind = text[rest + len(ending) : rest + len(ending) + 1]
        if text.startswith(ending, rest) and behind not in ("", "0"):
            if at > start or chunks:
                chunks.append(Chunk(text[start:at], start))
            start = rest + len(ending)
        else:
            warnings.append(Message("warning", "near miss with file split marker", source.location(rest)))
        at = text.find(stem, rest)
    if start < len(text):
        chunks.append(Chunk(text[start:], start))
    return chunks, warnings
