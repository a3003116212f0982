"""Code actions: what could be done about a range of the document. An edit that takes time is made when it is chosen."""

from __future__ import annotations

from typing import Final

from fathom.records import record
from fathom_server.features.edits import Replacement
from fathom_server.features.fixes import fixes_at
from fathom_server.features.lower import lowerable_at
from fathom_server.model.paths import name_of
from fathom_server.model.snapshot import Snapshot

QUICK_FIX: Final = "quickfix"
REWRITE: Final = "refactor.rewrite"


@record
class Action:
    """Something that can be done: an edit, or the name of the function that is to be lowered, by which the edit is made
    when it is wanted."""

    title: str
    kind: str
    edit: Replacement | None = None
    lowers: str = ""


def actions_at(snapshot: Snapshot, start: int, end: int, only: tuple[str, ...]) -> list[Action]:
    """The actions that a range offers, of the kinds asked for; an empty `only` asks for all."""

    def is_asked_for(kind: str) -> bool:
        return not only or any(_includes(each, kind) for each in only)

    found: list[Action] = []
    if is_asked_for(QUICK_FIX):
        found += [Action(fix.title, QUICK_FIX, fix.edit) for fix in fixes_at(snapshot, start, end)]
    if is_asked_for(REWRITE):
        for symbol in lowerable_at(snapshot, start, end):
            name = name_of(snapshot, symbol)
            found.append(Action(f"Lower `@{name}` to the LLVM dialect", REWRITE, lowers=name))
    return found


def _includes(asked: str, kind: str) -> bool:
    """Whether a kind of actions includes another; the empty one includes all."""
    return not asked or f"{kind}.".startswith(f"{asked}.")
