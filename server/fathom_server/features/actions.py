"""Code actions: what could be done about a range of the document. An edit that takes time is made when it is chosen."""

from __future__ import annotations

from typing import Final

from fathom.records import record
from fathom_server.features.edits import Replacement
from fathom_server.features.fixes import fixes_at, unknown_dialects_at
from fathom_server.features.lower import lowerable_at, lowered_with
from fathom_server.model.paths import name_of
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol

QUICK_FIX: Final = "quickfix"
REWRITE: Final = "refactor.rewrite"
MOST: Final = 2
"""The title of an action names so many functions besides that which it is about."""


@record
class Action:
    """Something that can be done: an edit, or the name of the function that is to be lowered, by which the edit is made
    when it is wanted, or of the dialect that is to be described, or the pipeline that `fathom.toml` is to name."""

    title: str
    kind: str
    edit: tuple[Replacement, ...] = ()
    lowers: str = ""
    describes: str = ""
    pipeline: str = ""


def actions_at(snapshot: Snapshot, start: int, end: int, only: tuple[str, ...]) -> list[Action]:
    """The actions that a range offers, of the kinds asked for; an empty `only` asks for all."""

    def is_asked_for(kind: str) -> bool:
        return not only or any(_includes(each, kind) for each in only)

    found: list[Action] = []
    if is_asked_for(QUICK_FIX):
        found += [
            Action(fix.title, QUICK_FIX, fix.edit, pipeline=fix.pipeline) for fix in fixes_at(snapshot, start, end)
        ]
        found += [
            Action(f"Describe dialect `{dialect}`…", QUICK_FIX, describes=dialect)
            for dialect in dict.fromkeys(unknown_dialects_at(snapshot, start, end))
        ]
    if is_asked_for(REWRITE):
        for symbol in lowerable_at(snapshot, start, end):
            found.append(Action(_title(snapshot, symbol), REWRITE, lowers=name_of(snapshot, symbol)))
    return found


def _title(snapshot: Snapshot, function: Symbol) -> str:
    """What is lowered to the LLVM dialect: a function, and what must be lowered with it."""
    others = [each for each in lowered_with(snapshot, function) if each is not function]
    shown = [f"`@{name_of(snapshot, each)}`" for each in (function, *others[:MOST])]
    if len(others) > MOST:
        shown.append(f"{len(others) - MOST} more")
    listed = ", ".join(shown[:-1]) + " and " + shown[-1] if others else shown[0]
    return f"Lower {listed} to the LLVM dialect"


def _includes(asked: str, kind: str) -> bool:
    """Whether a kind of actions includes another; the empty one includes all."""
    return not asked or f"{kind}.".startswith(f"{asked}.")
