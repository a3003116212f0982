"""Code actions for all clients. One that cannot ask for the edit of the action that it chose gets every edit with the
actions, and what takes long of these is made beside the server.
"""

from __future__ import annotations

from fathom.syntax.tree import Item
from fathom_server.features import actions
from fathom_server.features.actions import Action
from fathom_server.features.assists.llvm_ir import is_llvm_ir
from fathom_server.model.snapshot import Snapshot


def actions_at(
    snapshot: Snapshot, start: int, end: int, only: tuple[str, ...], is_asked: bool, _with_edits: bool
) -> list[Action]:
    """The actions that a range offers."""
    return actions.actions_at(snapshot, start, end, only, is_asked)


def items_beside(
    snapshot: Snapshot, start: int, end: int, only: tuple[str, ...], is_asked: bool, with_edits: bool
) -> tuple[Item, ...] | None:
    """The items that making the edits of the actions is about if that takes longer than a key may; None if it does not,
    or if they are made when one is chosen."""
    if not with_edits or (actions.is_soon_tried(snapshot) and not is_llvm_ir(snapshot)):
        return None
    offered = actions.actions_at(snapshot, start, end, only, is_asked)
    later = (action.later for action in offered if action.later is not None and not action.refusal)
    beside = [items for last in later if (items := actions.items_beside(snapshot, last)) is not None]
    return tuple(dict.fromkeys(item for items in beside for item in items)) if beside else None


def impossible(
    _start: int, _end: int, _only: tuple[str, ...], _is_asked: bool, _with_edits: bool, _reason: str
) -> list[Action]:
    """What is offered when a fault of Fathom's own is in the way."""
    return []
