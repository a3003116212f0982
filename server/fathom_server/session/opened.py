"""A document with what is known to be wrong with it, and with the work on it that is still to do.

Edited functions are looked at before the answer to the edit goes out; the rest of a file, and what the pipeline makes
of each function, follow in slices when nobody types.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TypeVar

from fathom.diagnostics import INTERNAL, Diagnostic
from fathom.elaborate.aliases import is_sound
from fathom.ir.operation import Span
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.records import field, record
from fathom.syntax.frames import Frame
from fathom.syntax.tree import Item
from fathom_server.model.deprecated import deprecated_operations
from fathom_server.model.document import Change, Document
from fathom_server.model.elaboration import (
    diagnostics,
    follow,
    prepare,
    stands_outside,
    unclosed_containers,
)
from fathom_server.model.gist import Gist, gist, undescribed
from fathom_server.model.lookup import has_path, headers, root
from fathom_server.model.lowered import stalled, takes_long
from fathom_server.model.objections import objections
from fathom_server.model.outer_values import nearest_beside, scopes_of_value
from fathom_server.model.pipelines import InForce, in_force
from fathom_server.model.queries import Query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Header, Role, header_of, role_of, symbols_of, values_of
from fathom_server.model.unused import unused_names, unused_values
from fathom_server.model.whole import as_a_whole
from fathom_server.session.asked import Asked
from fathom_server.session.findings import (
    NO_LEFTOVERS,
    NO_MISTAKES,
    Findings,
    leftovers,
    mistakes,
    shown,
)

T = TypeVar("T")

_LOGGER = logging.getLogger(__name__)

AT_ONCE = 20
"""An edit that changes more items than this has them looked at in the background."""
LARGE = 2000
LONG = 100_000
"""So does an edit of an item of more lines or characters than this: looking at it takes longer than a key may."""
SHORT = 10_000
"""To read fewer characters takes no longer."""


def is_large(what: Item | Document) -> bool:
    """Whether work on an item or a document may take long."""
    sized = what if isinstance(what, Item) else what.tree
    return sized.line_count > LARGE or sized.length > LONG


@record(frozen=False)
class Shown:
    """The last good text of a preview, with the version and the map that it was sent with; empty if there was none
    yet. All but the version are JSON, as they were sent."""

    text: str
    version: int
    map: str
    part: str = ""
    """Where the part stands that it shows; empty if it shows no part."""


@record(frozen=False)
class OpenDocument:
    """An open document, what was found in it, and the state of the work on it."""

    document: Document
    findings: Findings = field(default_factory=Findings)
    asked: Asked = field(default_factory=Asked)
    is_to_be_looked_over: bool = True
    """Whether what no item shows by itself is to be found out."""
    to_check: deque[Item] = field(default_factory=deque[Item])
    urgent: dict[Item, None] = field(default_factory=dict[Item, None])
    edited: set[Item] = field(default_factory=set[Item])
    """What edits concern, until it is lowered: that comes before the rest of the file."""
    to_lower_first: deque[Item] = field(default_factory=deque[Item])
    to_lower: deque[Item] = field(default_factory=deque[Item])
    to_lower_beside: deque[Item] = field(default_factory=deque[Item])
    """The items whose lowering takes longer than a key may."""
    previews: dict[tuple[str, str | None, bool], Shown] = field(
        default_factory=dict["tuple[str, str | None, bool]", Shown]
    )
    """By stage, function, and whether a part of it is wanted."""
    live: set[Item] = field(default_factory=set[Item])
    broken: set[tuple[Frame, str]] = field(default_factory=set[tuple[Frame, str]])
    """The symbols whose definitions have errors, by where they stand and their names."""
    force: InForce = field(default_factory=lambda: InForce(LOWER_TO_LLVM))
    """The pipeline in force when it was last looked at."""
    stuck: int = 0
    """Of how many items it was found that they do not lower, since the lenses were asked for."""
    first_changed: int | None = None
    """The first item that an edit concerned since the last notice about previews."""

    def __post_init__(self) -> None:
        self.live = set(self.document.tree.items)
        _ = self.document.tree.unclosed()
        self.to_check.extend(self.document.tree.items)
        self.force = in_force(self.document.tree, self.document.settings)

    def changed(self, change: Change) -> None:
        """Takes an edit into account: notes what it changed and what that concerns, to be looked at by `settle`."""
        self.is_to_be_looked_over = True
        before = _headers(change.removed)
        after = _headers(change.added)
        # It is asked for whenever something is shown, and found out here, where that may be done in slices.
        _ = self.document.tree.unclosed()
        for item in change.removed:
            self.findings.forget(item)
            self.live.discard(item)
            self.edited.discard(item)
        self.live.update(change.added)
        self.urgent.update(dict.fromkeys(self._around(change)))
        names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        if self.previews:
            count = len(self.document.tree.items) if self.first_changed is None else self.first_changed
            self.first_changed = min(change.first, count)
        self.urgent.update(dict.fromkeys(change.added))
        self.urgent.update((item, None) for name in sorted(names) for item in self._concerned(name))
        values = {name for name, _ in _values(change.removed) | _values(change.added)}
        memory = self.document.memory
        self.urgent.update((item, None) for name in sorted(values) for item in memory.users(scopes_of_value, name))
        self.urgent.update((item, None) for item in (memory.users_of_any(nearest_beside) if values else ()))
        force = in_force(self.document.tree, self.document.settings)
        if (force.pipeline, force.foreign) != (self.force.pipeline, self.force.foreign):
            self.lower_anew()
        self.force = force
        for item in self._in_another_root(change):
            self.lower_later(item)
        for item in change.removed:
            item.forget()

    def _around(self, change: Change) -> Iterator[Item]:
        """The items whose scope is another one, where a change divides the document or its tables in another way: those
        of the splits around it."""
        if not any(each.begins_split or each.frame_out is not each.frame for each in (*change.removed, *change.added)):
            return
        tree = self.document.tree
        last = len(tree.items) - 1
        before, after = max(change.first - 1, 0), min(change.first + len(change.added), last)
        if last >= 0:
            yield from tree.items[tree.split_around(before).start : tree.split_around(after).stop]

    def _in_another_root(self, change: Change) -> Iterator[Item]:
        """The items of the splits around a change that it gives another root: a module that stands beside something is
        none any more. What is nested in the root only, a pipeline comes to."""
        tree, snapshot = self.document.tree, self.document.snapshot()
        around = [each for each in (change.first - 1, change.first + len(change.added)) if 0 <= each < len(tree.items)]
        for split, within in {tree.split_of(index): tree.split_around(index) for index in around}.items():
            if self.document.memory.is_another(root, snapshot, split):
                yield from tree.items[within.start : within.stop]

    def settle(self) -> None:
        """Looks at what edits concern: at once if that is little, else in the background before anything else."""
        work = [item for item in self.urgent if item in self.live]
        snapshot = self.document.snapshot()
        large = [item for item in work if is_large(item) and not follow(snapshot, item)]
        self.edited.update(work)
        if len(work) > AT_ONCE or large:
            self.to_check.extendleft(reversed(work))
            self.urgent.clear()
            return
        # Those that are left when this is given up are looked at after the next edit.
        self.urgent = dict.fromkeys(work)
        for item in work:
            self.check(item)
            del self.urgent[item]

    def _concerned(self, name: str) -> Iterator[Item]:
        """The items that refer to a symbol or that define one of its name, in no order."""
        yield from self.document.memory.users(headers, name)
        yield from (symbol.item for symbol in self.document.symbols.get(name, ()))

    def check(self, item: Item) -> None:
        """Looks at one item, if it is still in the document; its lowering is to follow. Of aliases that have a meaning
        there is nothing to be said."""
        if item in self.live and not is_sound(item):
            self._check(item)
            self.findings.whole.pop(item, None)
            self.is_to_be_looked_over = True
            self.lower_later(item)
            self._lower_users(item)

    def _check(self, item: Item) -> None:
        found = _guarded(diagnostics, self.document.snapshot(), item)
        unknown = _or_nothing(undescribed, self.document.snapshot(), item, {}) if found else {}
        self.findings.note(self.findings.mistakes, item, mistakes(found, unknown), NO_MISTAKES)

    def _lower_users(self, item: Item) -> None:
        """What is lowered together with an item, such as the users of a reduction, is to be lowered again where that
        has become broken, or sound."""
        names = self._lowered_with_users(item)
        is_broken = self.findings.is_broken(item)
        pending = {name for name in names if ((item.frame, name) in self.broken) != is_broken}
        (self.broken.update if is_broken else self.broken.difference_update)((item.frame, name) for name in names)
        met = {item}
        while pending:
            users = {user for name in pending for user in self.document.memory.users(headers, name)} - met
            met |= users
            for user in users & self.live:
                self.lower_later(user)
            pending = {name for user in users for name in self._lowered_with_users(user)}

    def _lowered_with_users(self, item: Item) -> list[str]:
        """The names of the definitions in an item that are lowered with those who use them: the whole of them, where of
        a function there is a declaration, unless it is named by the path of a table."""
        snapshot, context = self.document.snapshot(), self.document.context
        return [
            each.name
            for each in symbols_of(item)
            if each.has_body and (role_of(each, context) is Role.DATA or has_path(snapshot, each))
        ]

    def check_first(self) -> None:
        """Looks at the first item that is to be looked at. What is made of a big one until that is given up is kept."""
        self.check(self.to_check[0])
        self.to_check.popleft()
        self.document.memory.take_apart()

    @property
    def has_work(self) -> bool:
        """Whether anything is to be looked at or lowered, or the document as a whole."""
        return bool(self.to_check or self.to_lower_first or self.to_lower or self.is_to_be_looked_over)

    def lower_later(self, item: Item) -> None:
        """The lowering of an item is to follow."""
        (self.to_lower_first if item in self.edited else self.to_lower).append(item)

    def prepare(self, item: Item) -> None:
        """Does ahead what the next edit of an item will need, if it is still in the document."""
        if item in self.live:
            prepare(self.document.snapshot(), item)

    def lower(self, item: Item) -> None:
        """Runs the pipeline on one item, if it is still in the document, and notes what it would leave behind."""
        if item in self.live:
            snapshot, known = self.document.snapshot(), self.findings
            found = _guarded(stalled, snapshot, item)
            of_it = _or_nothing(gist, snapshot, item, Gist()) if found else Gist()
            self.stuck += bool(found) and item not in known.left
            known.note(known.left, item, leftovers(found, of_it), NO_LEFTOVERS)
            known.note(known.objected, item, objections(snapshot, item) if found else (), ())
            if self._tells_unused:
                known.note(known.unused, item, shown(_guarded(unused_values, snapshot, item)), ())
            if not is_large(self.document):
                known.note(known.deprecated, item, shown(_guarded(deprecated_operations, snapshot, item)), ())
        self.document.memory.tidy()

    def lower_first(self) -> None:
        """Runs the pipeline on the first item that is to be lowered; what takes long is to follow in the process beside
        the server. Of a big one that is broken nothing else would prepare the next edit. When none is left, the
        document is looked over."""
        waiting = self.to_lower_first or self.to_lower
        if not waiting:
            self.look_over()
            return
        item = waiting[0]
        is_broken = self.findings.is_broken(item)
        if item in self.live and not is_broken and takes_long(self.document.snapshot(), item):
            self.to_lower_beside.append(item)
        else:
            if is_large(item):
                self.prepare(item)
            self.lower(item)
        waiting.popleft()
        self.edited.discard(item)

    def not_lowered(self, item: Item, reason: str) -> None:
        """Notes that an item could not be lowered, because of a fault of Fathom's own."""
        if item in self.live:
            self.findings.note(self.findings.left, item, leftovers((_fault(reason),), Gist()), NO_LEFTOVERS)

    def ask_for(self, function: str | None) -> bool:
        """Notes that somebody asked what becomes of a function, or of the whole document: all is shown of it from now
        on. Whether nobody had asked before."""
        is_new = self.asked.note(function)
        self.findings.changes += is_new
        return is_new

    @property
    def _tells_unused(self) -> bool:
        """Whether what is not used is told: of a large document it is not looked for."""
        return self.document.settings.unused_diagnostics and not is_large(self.document)

    def look_at_names(self) -> None:
        """Finds out which symbols and aliases nothing names, when all else is done."""
        former = self.findings.unused_names
        self.findings.unused_names = unused_names(self.document.snapshot()) if self._tells_unused else {}
        self.findings.changes += former != self.findings.unused_names

    def look_over(self) -> None:
        """Finds out what no item shows by itself, when all else is done: what nothing names, and what is wrong with the
        whole."""
        self.look_at_names()
        try:
            self._look_at_whole()
        except Exception:
            _LOGGER.exception("a look at the whole of %s", self.document.uri)
        self.is_to_be_looked_over = False

    def _look_at_whole(self) -> None:
        findings = self.findings
        former = findings.whole
        known = {item: found.all for item, found in findings.mistakes.items()}
        for item, brace in unclosed_containers(self.document.tree).items():
            known[item] = (*(each for each in known.get(item, ()) if not stands_outside(item, brace, each)), brace)
        found = as_a_whole(self.document.snapshot(), known)
        unknown = {item: findings.mistakes.get(item, NO_MISTAKES).unknown for item in found}
        findings.whole = {item: mistakes(each, unknown[item]) for item, each in found.items()}
        findings.changes += former != findings.whole

    def found(
        self, *, with_unused: bool = False, with_deprecated: bool = False
    ) -> Iterator[tuple[int, list[Diagnostic]]]:
        """What is known to be wrong, item by item in the order of the text, with the indices of the items; and what is
        not used, or deprecated, if that is wanted."""
        return self.findings.shown(
            self.document,
            lambda item: self.asked.is_about(item, self.document, self.force),
            with_unused=with_unused,
            with_deprecated=with_deprecated,
        )

    def lower_anew(self) -> None:
        """Everything is to be lowered again, since the pipeline is another one."""
        self.findings.forget_lowering()
        for item in self.document.tree.items:
            self.lower_later(item)
        self.first_changed = 0

    def recheck_all(self) -> None:
        """Everything is to be looked at again, since what all functions see has changed."""
        self.to_check = deque(self.document.tree.items)
        self.first_changed = 0


def _guarded(look: Query[Item, tuple[Diagnostic, ...]], snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """What a look at an item finds. A fault of Fathom's own in one must not keep the others from being looked at."""
    try:
        return look(snapshot, item)
    except Exception as fault:
        _LOGGER.exception("%s of an item", look)
        return (_fault(f"{type(fault).__name__}: {fault}"),)


def _or_nothing(look: Query[Item, T], snapshot: Snapshot, item: Item, nothing: T) -> T:
    """What a look at an item gives; nothing where a fault of Fathom's own is in the way."""
    try:
        return look(snapshot, item)
    except Exception:
        _LOGGER.exception("%s of an item", look)
        return nothing


def _fault(reason: str) -> Diagnostic:
    return Diagnostic(f"a fault in Fathom: {reason}", Span(0, 0), "information", INTERNAL)


def _values(items: Iterable[Item]) -> set[tuple[str, Frame]]:
    """The names of the values that items define beside functions, with where these stand."""
    return {(value.name, item.frame) for item in items for value in values_of(item)}


def _headers(items: Iterable[Item]) -> dict[str, list[Header]]:
    """The headers of the symbols that items define, by name."""
    found: dict[str, list[Header]] = {}
    for item in items:
        for symbol in symbols_of(item):
            found.setdefault(symbol.name, []).append(header_of(symbol))
    return found
