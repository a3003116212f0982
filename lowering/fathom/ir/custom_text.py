"""Operations that no definition covers, in a custom form: the text behind their name is kept and printed back."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from fathom.ir.attributes import Attribute
from fathom.ir.types import Speller
from fathom.records import record

CUSTOM_TEXT: Final = "$text"
"""The property under which such an operation keeps its text."""

Hole: TypeAlias = "tuple[Literal['operand', 'region', 'successor'], int] | tuple[Literal['argument'], int, int]"
"""An operand, region or successor by its index, or an argument by the index of its region and its own."""


@record
class CustomText(Attribute):
    """The words behind the name, each with whether white space is before it: as it stands, or what it refers to."""

    words: tuple[tuple[bool, str | Hole], ...]

    def spell(self, of: Speller) -> str:
        del of
        return "".join(
            (" " if spaced else "") + (word if isinstance(word, str) else f"<{word[0]} {word[1]}>")
            for spaced, word in self.words
        )
