"""Code actions: what could be done about a range of the document. An edit that takes time is made when it is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fathom_server.features.lower import lowerable_at
from fathom_server.model.snapshot import Snapshot

REWRITE: Final = "refactor.rewrite"


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done. `lowers` names the function that it lowers, by which the edit is made later."""

    title: str
    kind: str
    lowers: str


def actions_at(snapshot: Snapshot, start: int, end: int, only: tuple[str, ...]) -> list[Action]:
    """The actions that a range offers, of the kinds asked for; an empty `only` asks for all."""
    found = [
        Action(f"Lower `@{s.name}` to the LLVM dialect", REWRITE, s.name) for s in lowerable_at(snapshot, start, end)
    ]
    return [action for action in found if not only or any(_includes(kind, action.kind) for kind in only)]


def _includes(asked: str, kind: str) -> bool:
    """Whether a kind of actions includes another; the empty one includes all."""
    return not asked or f"{kind}.".startswith(f"{asked}.")
