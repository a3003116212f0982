"""`source.fixAll`: what mends the mistakes of a document that need no person's choice: what a table says is called
otherwise today, and mistakes for which there is one fix and no other, if it is no guess."""

from __future__ import annotations

from collections.abc import Iterator

from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import after
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Replacement
from fathom_server.features.fixes import mistakes_of, only_fix
from fathom_server.model.snapshot import Snapshot


def offered(selection: Selection) -> Iterator[Offer]:
    """Where there is a mistake that can be mended in one way only."""
    if any(only_fix(mistake) is not None for mistake in mistakes_of(selection.snapshot, known=True, unknown=True)):
        yield Offer("Mend all that can be mended in one way only")


def fixed(snapshot: Snapshot) -> Made:
    """The fixes that do not touch each other; without those after which the document has more mistakes."""
    edit: list[Replacement] = []
    for mistake in mistakes_of(snapshot, unknown=True):
        fix = only_fix(mistake)
        if fix is None or any(_touch(one, other) for one in fix.edit for other in edit):
            continue
        edit += fix.edit
    edit.sort(key=lambda each: (each.start, each.end))
    if edit:
        with after(snapshot, edit) as now:
            return edit if _count(now) < _count(snapshot) else []
    return edit


def _touch(one: Replacement, other: Replacement) -> bool:
    return one.start <= other.end and other.start <= one.end


def _count(snapshot: Snapshot) -> int:
    return sum(1 for _ in mistakes_of(snapshot, unknown=True))
