"""A text of an older release of MLIR as MLIR 22 writes it: what is to be replaced in it, or why it stays as it is."""

from __future__ import annotations

from fathom.context import Context
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.model.snapshot import Snapshot


def modernised(text: str, context: Context) -> list[Replacement] | Refusal:
    """The replacements for a text that is read by a context; where that is today's, the release is found out."""
    from fathom.modernising.engine import modernised as made_of
    from fathom.modernising.found import find_edition

    if context.edition is None:
        name, wrong = find_edition(text, context.in_edition)
        if wrong:
            place = wrong[0].span.start if wrong[0].span is not None else 0
            return Refusal(f"it is of no release of MLIR that is known; {_line(text, place)}: {wrong[0].message}")
        context = context.in_edition(name)
    made = made_of(text, context, context.newest)
    error = next((diagnostic for diagnostic in made.diagnostics if diagnostic.severity == "error"), None)
    if error is not None:
        return Refusal(f"{_line(text, error.span.start if error.span is not None else 0)}: {error.message}")
    return [Replacement(change.start, change.end, change.text) for change in made.changes]


def _line(text: str, place: int) -> str:
    return f"line {text.count(chr(10), 0, place) + 1}"


def modernised_file(snapshot: Snapshot, text: str) -> list[Replacement] | Refusal:
    """The same of the text of another file, which is read as the document of a snapshot is."""
    return modernised(text, snapshot.context)
