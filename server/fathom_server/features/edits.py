"""Changes of a document as data, and the reason where there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replacement:
    """Text to put in the place of a range of the document."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something cannot be done, in one sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What would mend a mistake."""

    title: str
    edit: Replacement
