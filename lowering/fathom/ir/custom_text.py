"""Operations that no definition covers, in a custom form: the text behind their name is kept and printed back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fathom.ir.attributes import Attribute
from fathom.ir.types import Speller, Type
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

CUSTOM_TEXT: Final = "$text"
"""The property under which such an operation keeps its text."""

Hole: TypeAlias = "tuple[Literal['operand', 'region', 'successor'], int] | tuple[Literal['argument'], int, int]"
"""An operand, region or successor by its index, or an argument by the index of its region and its own."""

Word: TypeAlias = "str | Hole | Type | Attribute"


@record
class CustomText(Attribute):
    """The words behind the name, each with whether white space is before it: as it stands, or what it refers to, which
    for the name of an alias is what that stands for."""

    words: tuple[tuple[bool, Word], ...]

    def spell(self, of: Speller) -> str:
        return "".join((" " if spaced else "") + _spell(word, of) for spaced, word in self.words)


def _spell(word: Word, of: Speller) -> str:
    if isinstance(word, str):
        return word
    return f"<{word[0]} {word[1]}>" if isinstance(word, tuple) else of(word)


def is_kept_text(op: Operation) -> bool:
    """Whether an operation is one that no definition covers, in a custom form."""
    return op.definition is None and CUSTOM_TEXT in op.properties
