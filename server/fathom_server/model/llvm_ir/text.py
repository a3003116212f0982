"""The text of an open `.ll` file as a sequence of units, which versions share: an edit makes new those it touches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.cached import cached_property
from fathom.syntax.sequence import ChunkedSequence, chunked
from fathom_server.model.llvm_ir.units import Unit, units_of


class LlvmText:
    """A version of the text. Offsets count characters from its beginning."""

    def __init__(self, units: ChunkedSequence[Unit]) -> None:
        self.units: Final = units
        self.length: Final = units.length
        self.line_count: Final = units.line_count

    @classmethod
    def read(cls, text: str) -> LlvmText:
        return cls(chunked(units_of(text)))

    @cached_property
    def text(self) -> str:
        return "".join(unit.text for unit in self.units)

    # ---- lines, as the border of the protocol asks for them

    def line(self, number: int) -> str:
        """A line with its line end; empty for a line past the end."""
        return self.line_and_start(number)[0]

    def line_and_start(self, number: int) -> tuple[str, int]:
        """A line with its line end, and where it begins; nothing, at the end, for a line past that."""
        if not 0 <= number < self.line_count:
            return "", self.length
        index, first = self.units.find_line(number)
        unit = self.units[index]
        return unit.line(number - first), self.units.offset(index) + unit.line_starts[number - first]

    def line_at(self, offset: int) -> tuple[int, int, str]:
        """The line that an offset is on: its number, where it begins, and its text. Behind the end it is the empty line
        after a final line end, else the last line."""
        if not self.units:
            return 0, 0, ""
        index, start = self.units.find_offset(offset)
        unit = self.units[index]
        number = unit.line_number(offset - start)
        line = unit.line(number)
        if offset >= self.length and line.endswith("\n"):
            return self.line_count, self.length, ""
        return self.units.line(index) + number, start + unit.line_starts[number], line

    # ---- units

    def with_offsets(self) -> Iterator[tuple[Unit, int]]:
        """Each unit, with the offset at which it begins."""
        return self.units.with_offsets()

    def edited(self, start: int, end: int, text: str) -> LlvmText:
        """The text with another in the place of what stands between two offsets. Where a unit begins follows from its
        line, so that what is looked at again are the units with a line that is another now, and the one before."""
        if not self.units:
            return LlvmText.read(text)
        first = max(self.units.find_offset(start)[0] - 1, 0)
        last = self.units.find_offset(end)[0] + 1
        old = list(self.units[first:last])
        base = self.units.offset(first)
        joined = "".join(unit.text for unit in old)
        kept = {unit.text: unit for unit in old}
        made = units_of(joined[: start - base] + text + joined[end - base :])
        return LlvmText(self.units.spliced(first, last, [kept.pop(unit.text, unit) for unit in made]))
