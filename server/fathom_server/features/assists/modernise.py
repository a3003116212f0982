"""A document of an older release of MLIR, or what is selected of it, as MLIR 22 writes it.

The release is the one that the document is read by; where that is today's and there are mistakes, it is found out.
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.editions.edition import NEWEST
from fathom.ir.language import MARK
from fathom_server.features import modernising
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.model.ages import LONGEST, has_outdated
from fathom_server.model.snapshot import Snapshot


def offered(selection: Selection) -> Iterator[Offer]:
    """In a document of an older edition, and in one that has what older ones wrote otherwise among the first mistakes
    that are found already."""
    snapshot = selection.snapshot
    is_older = snapshot.context.edition is not None and snapshot.context.edition.name != NEWEST
    if snapshot.tree.length > LONGEST or not (is_older or has_outdated(snapshot)):
        return
    yield Offer("Modernise to MLIR 22", (0, snapshot.tree.length))
    if is_older and selection.start < selection.end:
        yield Offer("Modernise what is selected to MLIR 22", (selection.start, selection.end))


def modernised(snapshot: Snapshot, start: int, end: int) -> Made:
    """What changes from one offset of the document to another. The comment that says the release changes with the last
    of what there is to change, wherever it stands."""
    text = snapshot.tree.text
    made = modernising.modernised(text, snapshot.context)
    if isinstance(made, Refusal):
        return made
    says = [replacement for replacement in made if _says_release(text, replacement)]
    rest = [replacement for replacement in made if replacement not in says]
    chosen = [replacement for replacement in rest if start <= replacement.start and replacement.end <= end]
    return made if chosen == rest else chosen


def _says_release(text: str, replacement: Replacement) -> bool:
    """Whether what is replaced stands in the comment that says the release."""
    return MARK in text[text.rfind("\n", 0, replacement.start) + 1 : replacement.start]
