"""Changes of a document as data, and the reason where there is none."""

from __future__ import annotations

from fathom.records import record


@record
class Replacement:
    """Text to put in the place of a range of the document."""

    start: int
    end: int
    text: str


@record
class Refusal:
    """Why something cannot be done, in one sentence."""

    reason: str


@record
class Fix:
    """What would mend a mistake: an edit, whose replacements are in the order of the text, or a pipeline for the
    workspace's `fathom.toml`."""

    title: str
    edit: tuple[Replacement, ...]
    pipeline: str = ""
