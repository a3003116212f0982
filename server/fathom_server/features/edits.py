"""Changes of a document as data, and the reason where there is none."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from fathom.records import record


@record
class Replacement:
    """Text to put in the place of a range of the document."""

    start: int
    end: int
    text: str


def edited(text: str, edit: Iterable[Replacement]) -> str:
    """A text after an edit whose replacements are in its order."""
    parts: list[str] = []
    last = 0
    for replacement in edit:
        parts += (text[last : replacement.start], replacement.text)
        last = replacement.end
    return "".join((*parts, text[last:]))


@record
class Renamable:
    """A name that can be another: where it stands, in offsets of the document, and what it is."""

    start: int
    end: int
    name: str


@record
class Refusal:
    """Why something cannot be done, in one sentence."""

    reason: str


class Trust(Enum):
    """How much is known of what a fix makes: what a table says is the same (`KNOWN`); what mends the mistake, and may
    do so without being looked at where nothing else does (`MENDS`); what is only like it, or means not quite the same,
    and is for a person to choose (`GUESSED`)."""

    KNOWN = "known"
    MENDS = "mends"
    GUESSED = "guessed"


@record
class Fix:
    """What would mend a mistake: an edit, whose replacements are in the order of the text, or a pipeline for the
    workspace's `fathom.toml`."""

    title: str
    edit: tuple[Replacement, ...]
    pipeline: str = ""
    trust: Trust = Trust.MENDS
