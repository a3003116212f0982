"""A document with what is known to be wrong with it, and with the work on it that is still to do.

Edited functions are looked at before the answer to the edit goes out; the rest of a file, and what the pipeline makes
of each function, follow in slices when nobody types.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field

from fathom.diagnostics import Diagnostic
from fathom.ir.operation import Span
from fathom.syntax.tree import Item
from fathom_server.features.diagnostics import item_diagnostics, item_lowering
from fathom_server.session.analysis import Analysis, forget
from fathom_server.session.document import Change, Document
from fathom_server.session.settings import Settings
from fathom_server.session.snapshot import Snapshot
from fathom_server.session.symbols import symbols_of

_LOGGER = logging.getLogger(__name__)

KEPT = 64
"""The IR of this many items is kept; that of others is made again when it is asked for."""
AT_ONCE = 20
"""An edit that changes more items than this has them looked at in the background."""
LARGE = 2000
"""So does an edit of an item of more lines than this: looking at it takes longer than a key may."""


@dataclass(slots=True)
class Shown:
    """The last good text of a preview, with the version and the map that it was sent with; empty if there was none yet.
    `names` are the symbols that the last attempt depended on, good or not."""

    text: str
    version: int
    map: list[object]
    names: frozenset[str]


@dataclass(slots=True)
class OpenDocument:
    """An open document and the state of the work on it."""

    document: Document
    problems: dict[Item, list[Diagnostic]] = field(default_factory=dict[Item, "list[Diagnostic]"])
    stalls: dict[Item, list[Diagnostic]] = field(default_factory=dict[Item, "list[Diagnostic]"])
    to_check: deque[Item] = field(default_factory=deque[Item])
    urgent: dict[Item, None] = field(default_factory=dict[Item, None])
    to_lower: deque[Item] = field(default_factory=deque[Item])
    users: dict[str, set[Item]] = field(default_factory=dict[str, "set[Item]"])
    names: dict[Item, frozenset[str]] = field(default_factory=dict[Item, "frozenset[str]"])
    previews: dict[tuple[str, str | None], Shown] = field(default_factory=dict["tuple[str, str | None]", Shown])
    recent: deque[Item] = field(default_factory=deque[Item])
    live: set[Item] = field(default_factory=set[Item])
    changed_names: set[str] = field(default_factory=set[str])
    first_changed: int | None = None

    def __post_init__(self) -> None:
        self.live = set(self.document.tree.items)
        self.to_check.extend(self.document.tree.items)

    def snapshot(self, settings: Settings) -> Snapshot:
        return Snapshot(self.document, settings)

    def changed(self, change: Change) -> None:
        """Takes an edit into account: notes what it changed and what that concerns, to be looked at by `settle`."""
        before = _headers(change.removed)
        after = _headers(change.added)
        for item in change.removed:
            self._drop(item)
        self.live.update(change.added)
        names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        if self.previews:
            self._note(change, before.keys() | after.keys())
        self.urgent.update(dict.fromkeys(change.added))
        self.urgent.update((item, None) for name in sorted(names) for item in self._concerned(name))

    def settle(self, settings: Settings) -> None:
        """Looks at what edits concern: at once if that is little, else in the background before anything else."""
        work = [item for item in self.urgent if item in self.live]
        self.urgent.clear()
        if len(work) > AT_ONCE or sum(item.line_count for item in work) > LARGE:
            self.to_check.extendleft(reversed(work))
            return
        for item in work:
            self.check(item, settings)

    def _note(self, change: Change, names: Set[str]) -> None:
        """Keeps in mind what the next notice about previews has to cover."""
        self.changed_names |= names
        self.first_changed = min(
            change.first, len(self.document.tree.items) if self.first_changed is None else self.first_changed
        )

    def _concerned(self, name: str) -> Iterator[Item]:
        """The items that refer to a symbol or that define one of its name, in no order."""
        yield from (item for item in self.users.get(name, ()) if item in self.live)
        yield from (symbol.item for symbol in self.document.symbols.get(name, ()))

    def _drop(self, item: Item) -> None:
        """Forgets an item that is no longer in the document."""
        self.problems.pop(item, None)
        self.stalls.pop(item, None)
        self.live.discard(item)
        self._uses(item, frozenset())

    def _uses(self, item: Item, names: frozenset[str]) -> None:
        """Notes which symbols an item refers to."""
        former = self.names.pop(item, frozenset())
        for name in former - names:
            users = self.users.get(name, set())
            users.discard(item)
            if not users:
                self.users.pop(name, None)
        for name in names - former:
            self.users.setdefault(name, set()).add(item)
        if names:
            self.names[item] = names

    def check(self, item: Item, settings: Settings) -> None:
        """Looks at one item, if it is still in the document; its lowering is to follow."""
        if item not in self.live:
            return
        diagnostics = _guarded(item_diagnostics, self.snapshot(settings), item)
        if diagnostics:
            self.problems[item] = diagnostics
        else:
            self.problems.pop(item, None)
        analysis = item.cache.get("analysis")
        if isinstance(analysis, Analysis):
            self._uses(item, analysis.names)
        self.to_lower.append(item)
        self._keep(item)

    def lower(self, item: Item, settings: Settings) -> None:
        """Runs the pipeline on one item, if it is still in the document, and notes what it would leave behind."""
        if item not in self.live:
            return
        diagnostics = _guarded(item_lowering, self.snapshot(settings), item)
        if diagnostics:
            self.stalls[item] = diagnostics
        else:
            self.stalls.pop(item, None)
        self._keep(item)

    def recheck_all(self) -> None:
        """Everything is to be looked at again, since what all functions see has changed."""
        self.to_check = deque(self.document.tree.items)
        self.first_changed = 0

    def _keep(self, item: Item) -> None:
        self.recent.append(item)
        while len(self.recent) > KEPT:
            old = self.recent.popleft()
            if old is not item:
                forget(old)


def _guarded(look: Callable[[Snapshot, Item], list[Diagnostic]], snapshot: Snapshot, item: Item) -> list[Diagnostic]:
    """What a look at an item finds. A fault of Fathom's own in one must not keep the others from being looked at."""
    try:
        return look(snapshot, item)
    except Exception as fault:
        _LOGGER.exception("%s of an item", look.__name__)
        span = Span(0, 0)
        return [Diagnostic(f"a fault in Fathom: {type(fault).__name__}: {fault}", span, "information", "internal")]


def _headers(items: Iterable[Item]) -> dict[str, list[str]]:
    """The headers of the symbols that items define, by name."""
    found: dict[str, list[str]] = {}
    for item in items:
        for symbol in symbols_of(item):
            header = f"{symbol.has_body} {symbol.depth} {item.text[symbol.start : symbol.end]}"
            found.setdefault(symbol.name, []).append(header)
    return found
