"""Code actions: what could be done about a range of the document. An edit that takes time is made when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from fathom.records import record, replace
from fathom.syntax.tree import Item
from fathom.text.beginnings import TextTooLong
from fathom_server.features import lower
from fathom_server.features.assists import ASSISTS, is_sensible_for, make, may_refuse, offers
from fathom_server.features.assists.assist import QUICK_FIX, REWRITE, Argument, Made
from fathom_server.features.assists.selection import Selection
from fathom_server.features.assists.tool_checks import runs_for
from fathom_server.features.bisect import searchable_at
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.fixes import mendings_at, unknown_dialects_at
from fathom_server.features.lower import lower_function, lowerable_at, lowered_with
from fathom_server.features.questions import Question, question_at
from fathom_server.model.lowered import LONG, takes_long
from fathom_server.model.scoping import Symbol, name_of
from fathom_server.model.snapshot import Snapshot

KINDS: Final = tuple(dict.fromkeys((QUICK_FIX, REWRITE, *(assist.kind for assist in ASSISTS))))
"""The kinds of actions that there are."""
OF_DOCUMENTS: Final = ("expectedChecks", "writeChecks", "modernise")
"""The assists that lower or read a document as a whole."""
TOOL_CHECKS: Final = "writeToolChecks"
"""The assist that has a tool of other people run."""
IMPORT: Final = "importLlvmIr"
"""The assist that asks LLVM."""
LOWER: Final = "lower"
"""The name of the action that lowers a function, among those of assists."""
MOST: Final = 2
"""The title of an action names so many functions besides that which it is about."""


@record
class Later:
    """What is to be made when it is chosen: the name of an assist, what that is to know, and the version of the
    document that this is about."""

    name: str
    arguments: tuple[Argument, ...]
    version: int


AS_IT_IS: Final = Later("", (), 0)
"""That there is nothing more to make: a client may ask it of what is a command alone, or cannot be done."""


@record
class Mended:
    """The mistake that an action mends: its code, and where it begins; with `is_preferred`, it is the
    one to choose."""

    code: str
    start: int
    is_preferred: bool


@record
class Action:
    """Something that can be done: an edit, or what makes it when it is wanted, or the dialect that is to be described,
    the pipeline that `fathom.toml` is to name, the function that a pass may break, or what is asked. If it is known
    already that it cannot be done, `refusal` says why."""

    title: str
    kind: str
    edit: tuple[Replacement, ...] = ()
    later: Later | None = None
    describes: str = ""
    pipeline: str = ""
    bisects: str = ""
    asks: Question | None = None
    mended: Mended | None = None
    refusal: str = ""


def actions_at(snapshot: Snapshot, start: int, end: int, only: tuple[str, ...], is_asked: bool = True) -> list[Action]:
    """The actions that a range offers, of the kinds asked for; an empty `only` asks for all, but for those about the
    document as a whole where nobody asked for actions."""
    kinds = frozenset(
        kind
        for kind in KINDS
        if (any(_includes(wanted, kind) for wanted in only) if only else is_asked or not kind.startswith("source"))
    )
    offered = list(_actions(snapshot, start, end, kinds))
    # Where it takes no longer than a key may, whoever asked is told at once what cannot be done.
    return [_tried(snapshot, action) for action in offered] if is_asked and is_soon_tried(snapshot) else offered


def is_soon_tried(snapshot: Snapshot) -> bool:
    """Whether it takes no longer than a key may to lower the document, as some of the actions do."""
    tree = snapshot.tree
    return tree.line_count <= LONG and not any(takes_long(snapshot, item) for item in tree.items)


def _tried(snapshot: Snapshot, action: Action) -> Action:
    """An action with the reason why it cannot be done, if there is one."""
    if action.later is None or action.refusal or action.later.name == TOOL_CHECKS:
        return action
    if items_beside(snapshot, action.later) is not None:
        return action
    if action.later.name != LOWER and not may_refuse(action.later.name):
        return action
    made = edit_of(snapshot, action.later)
    return replace(action, refusal=made.reason) if isinstance(made, Refusal) else action


def _actions(snapshot: Snapshot, start: int, end: int, kinds: frozenset[str]) -> Iterator[Action]:
    if QUICK_FIX in kinds:
        for fix, mistake, is_preferred in mendings_at(snapshot, start, end):
            mended = Mended(mistake.diagnostic.code, mistake.base + mistake.span.start, is_preferred)
            yield Action(fix.title, QUICK_FIX, fix.edit, pipeline=fix.pipeline, mended=mended)
        for dialect in dict.fromkeys(unknown_dialects_at(snapshot, start, end)):
            yield Action(f"Describe dialect `{dialect}`…", QUICK_FIX, describes=dialect)
    asked = question_at(snapshot, start, end) if kinds.intersection((QUICK_FIX, REWRITE)) else None
    if QUICK_FIX in kinds and asked is not None and asked.is_left:
        yield Action(asked.title, QUICK_FIX, asks=asked)
    if REWRITE in kinds:
        for symbol in lowerable_at(snapshot, start, end):
            later = Later(LOWER, (name_of(snapshot, symbol),), snapshot.version)
            known = lower.hindrance(snapshot, symbol)
            reason = known.reason if known is not None else ""
            yield Action(_title(snapshot, symbol), REWRITE, later=later, refusal=reason)
        for symbol in searchable_at(snapshot, start, end):
            name = name_of(snapshot, symbol)
            yield Action(f"Find the pass that breaks `@{name}`…", REWRITE, bisects=name)
        if asked is not None and not asked.is_left:
            yield Action(asked.title, REWRITE, asks=asked)
    for assist, offer in offers(Selection(snapshot, start, end), kinds):
        yield Action(offer.title, assist.kind, later=Later(assist.name, offer.arguments, snapshot.version))


def edit_of(snapshot: Snapshot, later: Later) -> Made:
    """The edit of an action, in the order of the text, or the reason why there is none."""
    if later == AS_IT_IS:
        return []
    try:
        if later.name == LOWER:
            # A function is known by its name, also in another version.
            return lower_function(snapshot, str(later.arguments[0]))
        if later.version != snapshot.version:
            return Refusal("the document was edited meanwhile")
        return make(snapshot, later.name, later.arguments)
    except TextTooLong as problem:
        return Refusal(str(problem))
    except RecursionError:
        return Refusal("the regions are nested too deep")


def is_sensible(later: Later) -> bool:
    """Whether what came from a client is what was offered to it: arguments of the right kinds."""
    if later.name == LOWER:
        return len(later.arguments) == 1 and isinstance(later.arguments[0], str)
    return is_sensible_for(later.name, later.arguments)


def items_beside(snapshot: Snapshot, later: Later) -> tuple[Item, ...] | None:
    """The items that making an edit is about if it takes longer than a key may; None if it does not."""
    if later.name == LOWER:
        return lower.items_beside(snapshot, str(later.arguments[0]))
    if later.name == IMPORT:
        return ()  # LLVM may take long about it.
    # What is about a whole document needs the IR of no item in particular.
    return () if later.name in OF_DOCUMENTS and not is_soon_tried(snapshot) else None


def ahead(snapshot: Snapshot, later: Later) -> Callable[[], None] | None:
    """What making an edit would wait for that takes longer than a key may: a tool."""
    if later.name != TOOL_CHECKS or later.version != snapshot.version:
        return None
    waiting = [*runs_for(snapshot, str(later.arguments[0]))]

    def run() -> None:
        for each in waiting:
            each()

    return run if waiting else None


def impossible(_later: Later, reason: str) -> Refusal:
    """What is said when a fault of Fathom's own is in the way."""
    return Refusal(f"a fault in Fathom: {reason}")


def _title(snapshot: Snapshot, function: Symbol) -> str:
    """What is lowered to the LLVM dialect: a function, and what must be lowered with it."""
    others = [symbol for symbol in lowered_with(snapshot, function) if symbol is not function]
    shown = [f"`@{name_of(snapshot, symbol)}`" for symbol in (function, *others[:MOST])]
    if len(others) > MOST:
        shown.append(f"{len(others) - MOST} more")
    listed = ", ".join(shown[:-1]) + " and " + shown[-1] if others else shown[0]
    return f"Lower {listed} to the LLVM dialect"


def _includes(asked: str, kind: str) -> bool:
    """Whether a kind of actions includes another; the empty one includes all."""
    return not asked or f"{kind}.".startswith(f"{asked}.")
