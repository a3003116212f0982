"""Changes of a few words that may mend a mistake, each tried on the text: those are offered after which the mistake is
gone, and no other has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from fathom.diagnostics import DOMINANCE, MISSING_TERMINATOR, VERIFY, Diagnostic
from fathom.syntax.tree import Item
from fathom_server.features.edits import Fix, Replacement
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.trial import Trial, tried

LONGEST: Final = 400
"""In an item of so many lines something is tried."""
MOST_CHARACTERS: Final = 20_000
"""And of so many characters, which are read and checked again each time."""
MOST_TRIED: Final = 40
MOST: Final = 3
"""So many changes are offered for a mistake by each way to make some."""
_Key: TypeAlias = tuple[str, str]
_LATE: Final = frozenset({VERIFY, DOMINANCE, MISSING_TERMINATOR})
"""What is looked for only where nothing else is wrong."""


def mending(mistake: Mistake, candidates: Iterable[Fix], *, wholly: bool = False) -> Iterator[Fix]:
    """Those of some changes, the likeliest first, that mend a mistake; `wholly` if nothing else of the item comes to be
    wrong, whatever could not be seen before."""
    if not can_be_tried(mistake.item):
        return
    count = 0
    for number, fix in enumerate(_unlike(candidates)):
        if number == MOST_TRIED or count == MOST:
            return
        if _mends(mistake, fix.edit, wholly):
            count += 1
            yield fix


def _unlike(candidates: Iterable[Fix]) -> Iterator[Fix]:
    """Each of some changes once. There may be many more than are tried, so they are made one after the other."""
    seen: set[Fix] = set()
    for fix in candidates:
        if fix not in seen:
            seen.add(fix)
            yield fix


def mending_if_small(mistake: Mistake, candidates: Iterable[Fix]) -> Iterator[Fix]:
    """Those of some changes that mend a mistake; all, where the item is too big to try them."""
    return mending(mistake, candidates) if can_be_tried(mistake.item) else iter(candidates)


def can_be_tried(item: Item) -> bool:
    return item.line_count <= LONGEST and item.length <= MOST_CHARACTERS


def _mends(mistake: Mistake, edit: Sequence[Replacement], wholly: bool) -> bool:
    """Whether a mistake is gone after an edit of its item, and there is none that was not there before. A brace can
    make others a part of the item."""
    base, start, end = mistake.base, edit[0].start, max(replacement.end for replacement in edit)
    if start < base or end > base + mistake.item.length:
        return False
    text, last = "", start
    for replacement in edit:
        text += mistake.text[last - base : replacement.start - base] + replacement.text
        last = replacement.end
    trial = tried(mistake.snapshot, start, end, text)
    if trial is None or mistake.item not in trial.removed:
        return False
    try:
        return _is_better(mistake, trial, range(start, start + len(text)), wholly)
    finally:
        trial.close()


def _is_better(mistake: Mistake, trial: Trial, changed: range, wholly: bool) -> bool:
    # What could not be read is not verified: what the verifier says then elsewhere was not there to be seen before.
    is_late = wholly or mistake.diagnostic.code in _LATE
    left = Counter(_key(error) for item in trial.removed for error in _errors(mistake.snapshot, item))
    left[_key(mistake.diagnostic)] -= 1
    for item in trial.added:
        begin = trial.snapshot.start_of(item)
        for error in _errors(trial.snapshot, item):
            left[_key(error)] -= 1
            span = error.span
            is_here = span is None or (begin + span.start < changed.stop and changed.start < begin + span.end)
            if left[_key(error)] < 0 and (is_late or is_here or error.code not in _LATE):
                return False
    return True


def _errors(snapshot: Snapshot, item: Item) -> Iterator[Diagnostic]:
    """The errors of an item that are shown."""
    return (d for d in diagnostics(snapshot, item) if d.severity == "error" and d.follows_from is None)


def _key(diagnostic: Diagnostic) -> _Key:
    return diagnostic.code, diagnostic.message
