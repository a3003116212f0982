"""A document with what is known to be wrong with it, and with the work on it that is still to do.

Edited functions are looked at before the answer to the edit goes out; the rest of a file, and what the pipeline makes
of each function, follow in slices when nobody types.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from fathom.syntax.tree import Item
from fathom.verify.diagnostic import Diagnostic
from fathom_server.features.diagnostics import item_diagnostics, item_lowering
from fathom_server.features.preview import Preview
from fathom_server.session.analysis import Analysis, forget
from fathom_server.session.document import Change, Document
from fathom_server.session.settings import Settings
from fathom_server.session.snapshot import Snapshot
from fathom_server.session.symbols import symbols_of

KEPT = 64
"""The IR of this many items is kept; that of others is made again when it is asked for."""
AT_ONCE = 20
"""An edit that changes more items than this has them looked at in the background."""


@dataclass(slots=True)
class Shown:
    """A preview as it was last answered, for the function or file at a stage."""

    preview: Preview
    version: int


@dataclass(slots=True)
class OpenDocument:
    """An open document and the state of the work on it."""

    document: Document
    problems: dict[Item, list[Diagnostic]] = field(default_factory=dict[Item, "list[Diagnostic]"])
    stalls: dict[Item, list[Diagnostic]] = field(default_factory=dict[Item, "list[Diagnostic]"])
    to_check: deque[Item] = field(default_factory=deque[Item])
    to_lower: deque[Item] = field(default_factory=deque[Item])
    users: dict[str, set[Item]] = field(default_factory=dict[str, "set[Item]"])
    previews: dict[tuple[str, str | None], Shown | None] = field(
        default_factory=dict["tuple[str, str | None]", "Shown | None"]
    )
    maps: dict[tuple[str, str | None], list[object]] = field(
        default_factory=dict["tuple[str, str | None]", "list[object]"]
    )
    recent: deque[Item] = field(default_factory=deque[Item])
    live: set[Item] = field(default_factory=set[Item])
    changed_names: set[str] = field(default_factory=set[str])
    first_changed: int | None = None

    def __post_init__(self) -> None:
        self.live = set(self.document.tree.items)
        self.to_check.extend(self.document.tree.items)

    def snapshot(self, settings: Settings) -> Snapshot:
        return Snapshot(self.document, settings)

    def changed(self, change: Change, settings: Settings) -> None:
        """Takes an edit into account: looks at what it changed and at what that concerns."""
        generation = self.document.generation
        before = _headers(change.removed)
        after = _headers(change.added)
        for item in change.removed:
            self.problems.pop(item, None)
            self.stalls.pop(item, None)
            self.live.discard(item)
        self.live.update(change.added)
        names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        self.changed_names |= before.keys() | after.keys()
        if change.added:
            first = self.document.tree.items.index(change.added[0])
            self.first_changed = first if self.first_changed is None else min(first, self.first_changed)
        else:
            self.first_changed = 0
        concerned = [item for name in names for item in self.users.get(name, ()) if item in self.live]
        work = list(dict.fromkeys([*change.added, *concerned]))
        if len(work) > AT_ONCE or any(_defines_alias(item, generation) for item in change.added):
            self.to_check.extendleft(reversed(work))
            return
        for item in work:
            self.check(item, settings)

    def check(self, item: Item, settings: Settings) -> None:
        """Looks at one item, if it is still in the document; its lowering is to follow."""
        if item not in self.live:
            return
        diagnostics = item_diagnostics(self.snapshot(settings), item)
        if diagnostics:
            self.problems[item] = diagnostics
        else:
            self.problems.pop(item, None)
        analysis = item.cache.get("analysis")
        if isinstance(analysis, Analysis):
            for name in analysis.names:
                self.users.setdefault(name, set()).add(item)
        self.to_lower.append(item)
        self._keep(item)

    def lower(self, item: Item, settings: Settings) -> None:
        """Runs the pipeline on one item, if it is still in the document, and notes what it would leave behind."""
        if item not in self.live:
            return
        diagnostics = item_lowering(self.snapshot(settings), item)
        if diagnostics:
            self.stalls[item] = diagnostics
        else:
            self.stalls.pop(item, None)
        self._keep(item)

    def recheck_all(self) -> None:
        """Everything is to be looked at again, since what all functions see has changed."""
        self.to_check = deque(self.document.tree.items)

    def _keep(self, item: Item) -> None:
        self.recent.append(item)
        while len(self.recent) > KEPT:
            old = self.recent.popleft()
            if old is not item:
                forget(old)


def _headers(items: Iterable[Item]) -> dict[str, str]:
    return {s.name: f"{s.has_body} {s.item.text[s.start : s.end]}" for item in items for s in symbols_of(item)}


def _defines_alias(item: Item, _generation: int) -> bool:
    return bool(item.cache.get("aliases"))
