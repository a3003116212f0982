"""Hover: what a name, a number, an operation, a type or an attribute is, and what it becomes in the LLVM dialect.

What stands at a place is one question to the model (`model/subjects.py`), and what is said of it a row here for each
kind. The first lines say what one wants to know; below a rule is the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from fathom.records import record
from fathom.text.beginnings import shortened
from fathom_server.features.hover.aliases import alias_text
from fathom_server.features.hover.attributes import attribute_text, case_text, entry_text, name_text
from fathom_server.features.hover.blocks import block_text
from fathom_server.features.hover.numbers import number_text, untyped_text
from fathom_server.features.hover.operations import old_text, operation_text
from fathom_server.features.hover.symbols import symbol_text
from fathom_server.features.hover.texts import Said
from fathom_server.features.hover.types import type_text
from fathom_server.features.hover.values import values_text
from fathom_server.features.questions import Question
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.subjects import (
    Alias,
    NamedBlock,
    NamedOperation,
    NamedSymbol,
    OldName,
    Subject,
    Values,
    subject_at,
)
from fathom_server.model.written import (
    AttributeName,
    Case,
    EntryName,
    Number,
    UntypedNumber,
    WrittenAttribute,
    WrittenType,
)

S = TypeVar("S", bound=Subject)


@record
class Hover:
    """Markdown about the text between two offsets, and what one may ask besides."""

    markdown: str
    start: int
    end: int
    asks: Question | None = None


LONGEST_LINE: Final = 2000
MOST_LINES: Final = 400
"""Of each line so many characters are shown, and so many lines."""


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What to say about an offset; None where there is nothing to say."""
    at_hand = subject_at(snapshot, offset)
    if at_hand is None:
        return None
    subject, place = at_hand
    said = TEXTS[type(subject)](snapshot, subject)
    return Hover(shortened(said.text, LONGEST_LINE, MOST_LINES), place.start, place.end, said.asks)


def _row(kind: type[S], say: Callable[[S], Said]) -> tuple[type[S], Callable[[Snapshot, Any], Said]]:
    """A row for what is told by itself."""
    return kind, lambda _snapshot, subject: say(subject)


TEXTS: Final[Mapping[type[Any], Callable[[Snapshot, Any], Said]]] = dict(
    (
        (Values, values_text),
        _row(NamedSymbol, symbol_text),
        _row(NamedBlock, block_text),
        _row(Alias, alias_text),
        (NamedOperation, operation_text),
        _row(OldName, old_text),
        _row(Number, number_text),
        _row(UntypedNumber, untyped_text),
        _row(AttributeName, name_text),
        _row(EntryName, entry_text),
        _row(Case, case_text),
        _row(WrittenAttribute, attribute_text),
        _row(WrittenType, type_text),
    )
)
"""What is said of each kind of subject. Of operations and tensors more is asked: what they become."""
