"""The lines of a text, and where in them an offset lies."""

from __future__ import annotations

from bisect import bisect_right

from fathom.text.encodings import utf8


class Lines:
    """The lines of a text, by their numbers from 1 on. They are looked for when somebody first asks."""

    __slots__ = ("_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: list[int] | None = None

    def __len__(self) -> int:
        """How many there are; one more than the text has line ends."""
        return len(self._begin())

    def place(self, offset: int) -> tuple[int, int]:
        """The line of an offset, and its column there, in bytes and from 1 on."""
        starts = self._begin()
        line = bisect_right(starts, offset)
        return line, len(utf8(self.text[starts[line - 1] : offset])) + 1

    def number(self, offset: int) -> int:
        """The line of an offset."""
        return bisect_right(self._begin(), offset)

    def line(self, number: int) -> str:
        """A line without its end."""
        starts = self._begin()
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].removesuffix("\r")

    def _begin(self) -> list[int]:
        """Where the lines begin."""
        if self._starts is None:
            starts = self._starts = [0]
            end = self.text.find("\n")
            while end >= 0:
                starts.append(end + 1)
                end = self.text.find("\n", end + 1)
        return self._starts
