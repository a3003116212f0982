"""`source.fixAll`: what mends the mistakes of a document that need no person's choice: what a table says is called
otherwise today, and mistakes for which there is one fix and no other, if it is no guess."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.sameness import after
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Fix, Replacement
from fathom_server.features.fixes import CERTAIN, mistakes_of, only_fix
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.model.snapshot import Snapshot

MOST_OFFERED: Final = 100_000
"""The characters of the items in which fixes are tried, for each mistake anew, to find out whether there is one."""
MOST_FIXED: Final = 1_000_000
"""And to make them. Of what there is beyond, only the table is asked; the rest is for another time."""


def offered(selection: Selection) -> Iterator[Offer]:
    """Where there is a mistake that can be mended in one way only."""
    mistakes = mistakes_of(selection.snapshot, known=True, unknown=True)
    if any(True for _ in _only_fixes(mistakes, MOST_OFFERED)):
        yield Offer("Mend all that can be mended in one way only")


def fixed(snapshot: Snapshot) -> Made:
    """The fixes that do not touch each other; without those after which the document has more mistakes."""
    edit: list[Replacement] = []
    for fix in _only_fixes(mistakes_of(snapshot, unknown=True), MOST_FIXED):
        if not any(_touch(one, other) for one in fix.edit for other in edit):
            edit += fix.edit
    edit.sort(key=lambda replacement: (replacement.start, replacement.end))
    if edit:
        with after(snapshot, edit) as now:
            return edit if _count(now) < _count(snapshot) else []
    return edit


def _only_fixes(mistakes: Iterable[Mistake], most: int) -> Iterator[Fix]:
    """The fixes of mistakes that have one and no other, tried in items of so many characters."""
    for mistake in mistakes:
        most -= mistake.item.length if mistake.diagnostic.code in CERTAIN else 0
        fix = only_fix(mistake, is_tried=most >= 0)
        if fix is not None:
            yield fix


def _touch(one: Replacement, other: Replacement) -> bool:
    return one.start <= other.end and other.start <= one.end


def _count(snapshot: Snapshot) -> int:
    return sum(1 for _ in mistakes_of(snapshot, unknown=True))
