"""How much is written of a module that stands for more text than anybody could hold."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.text.beginnings import MOST_OUTPUT, MOST_REPEATED, TextTooLong


class Budget:
    """What was written so far of types, constants and instructions; of each constant as many characters as are `shown`
    if that is given."""

    def __init__(self, shown: int | None = None) -> None:
        self.shown = shown
        self.cut: list[str] = []
        """The texts of constants that may be there in part."""
        self._written = self._repeated = 0

    def wanted(self, of: Sequence[object], length: int) -> int:
        """How many of these elements, each of so many characters, are to be written."""
        if self.shown is not None:
            return min(len(of), self.shown // max(length, 1) + 1)
        return len(of)

    def kept(self, text: str) -> str:
        """The text of a constant, which is noted if not all of it may be there."""
        if self.shown is not None and len(text) > self.shown:
            self.cut.append(text)
        return text

    def joined(self, texts: Sequence[str], separator: str = ", ") -> str:
        """Texts as one. Raises TextTooLong if with this there are more characters than a text can have."""
        self._written += sum(map(len, texts))
        if self._written > MOST_OUTPUT:
            raise TextTooLong(f"types and constants of more than {MOST_OUTPUT:,} characters are not written")
        return separator.join(texts)

    def repeated(self, length: int) -> None:
        """So many characters are written that stand for very few. Raises TextTooLong if they are too many."""
        self._repeated += length
        if self._repeated > MOST_REPEATED:
            raise TextTooLong(f"repeated types and elements of more than {MOST_REPEATED:,} characters are not written")
