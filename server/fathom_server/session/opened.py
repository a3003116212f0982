"""A document with what is known to be wrong with it, and with the work on it that is still to do.

Edited functions are looked at before the answer to the edit goes out; the rest of a file, and what the pipeline makes
of each function, follow in slices when nobody types.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from fathom.diagnostics import INTERNAL, Diagnostic
from fathom.elaborate.aliases import is_sound
from fathom.ir.operation import Span
from fathom.records import field, record, replace
from fathom.syntax.sequence import ChunkedSequence
from fathom.syntax.tree import Item
from fathom_server.model.ages import age, has_outdated
from fathom_server.model.deprecated import deprecated_operations
from fathom_server.model.document import Change, Document
from fathom_server.model.elaboration import follow, prepare
from fathom_server.model.gist import Gist, gist, undescribed
from fathom_server.model.lowered import stalled, takes_long
from fathom_server.model.mistakes import diagnostics, stands_outside, unclosed_containers
from fathom_server.model.objections import Objections, objections
from fathom_server.model.pipelines import foreign, pipeline
from fathom_server.model.queries import Query
from fathom_server.model.scoping import find
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.unused import unused_names, unused_values
from fathom_server.model.whole import as_a_whole
from fathom_server.session.attention import Attention
from fathom_server.session.findings import (
    NO_LEFTOVERS,
    NOTHING,
    Findings,
    Leftovers,
    leftovers,
    mistakes,
    shown,
)
from fathom_server.session.queues import Queue

T = TypeVar("T")

_LOGGER = logging.getLogger(__name__)

CHECKED: Final = (diagnostics, undescribed)
"""What is found out of an item when it is looked at."""
LOWERED: Final = (stalled, gist, objections, unused_values, deprecated_operations)
"""And when it is lowered."""

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
class OpenDocument:
    """An open document, what was found in it, and the state of the work on it."""

    document: Document
    findings: Findings = field(default_factory=Findings)
    attention: Attention = field(default_factory=Attention)
    took: dict[str, float] = field(default_factory=dict[str, float])
    """The seconds that questions beside the server took last, by what they are about."""
    is_to_be_looked_over: bool = True
    """Whether what no item shows by itself is to be found out."""
    is_to_be_dated: bool = False
    """Whether it is to be found out if the document is of an older release of MLIR."""
    to_settle: Queue = field(default_factory=Queue)
    """What edits concern, until it is settled what is looked at before the answer to them goes out."""
    to_check: Queue = field(default_factory=Queue)
    to_lower: Queue = field(default_factory=Queue)
    to_lower_beside: Queue = field(default_factory=Queue)
    """The items whose lowering takes longer than a key may."""

    def __post_init__(self) -> None:
        _ = self.document.tree.unclosed()
        self.to_check = Queue(self.document.tree.items)

    def changed(self, change: Change) -> None:
        """Takes an edit into account: what it brought is to be looked at, and that of which something is not true any
        more; `settle` does so."""
        self.is_to_be_looked_over = True
        # It is asked for whenever something is shown, and found out here, where that may be done in slices.
        _ = self.document.tree.unclosed()
        for item in change.removed:
            self.findings.forget(item)
            for queue in (self.to_settle, self.to_check, self.to_lower, self.to_lower_beside):
                queue.remove(item)
        stale, items = change.stale, self.document.tree.items
        if stale.changed & {pipeline, foreign}:
            self.lower_anew()
        checked, lowered = stale.items(*CHECKED), stale.items(*LOWERED)
        for item in (*change.added, *_in_order(items, checked)):
            self.to_settle.add(item)
        for item in _in_order(items, lowered - checked):
            self.to_lower.add(item)
        for item in change.removed:
            item.forget()

    def remarked(self, function: str, remarks: tuple[Diagnostic, ...]) -> None:
        """Shows what LLVM remarked about a function of the present version, until it is edited."""
        symbol = find(self.document.snapshot(), function)
        if symbol is not None:
            start, end = symbol.start, symbol.full_end
            known = self.findings.of(symbol.item)
            others = (d for d in known.remarks if d.span is None or not start <= d.span.start < end)
            self.findings.note(symbol.item, replace(known, remarks=(*others, *remarks)))

    def settle(self) -> bool:
        """Looks at what edits concern: at once if that is little, else in the background before anything else. False if
        these are too many items."""
        work, snapshot = list(self.to_settle), self.document.snapshot()
        if len(work) > AT_ONCE or any(is_large(item) and not follow(snapshot, item) for item in work):
            self.to_check.put_before(work)
            self.to_settle = Queue()
            return len(work) <= AT_ONCE
        # Those that are left when this is given up are looked at after the next edit.
        for item in work:
            self.check(item, first=True)
            self.to_check.remove(item)
            self.to_settle.remove(item)
        return True

    def check(self, item: Item, *, first: bool = False) -> None:
        """Looks at one item; its lowering is to follow, `first` of all. Of comments there is nothing to be said, nor of
        aliases that have a meaning."""
        if not item.is_trivia and not is_sound(item):
            self._check(item)
            self.is_to_be_looked_over = True
            self.to_lower.add(item, first=first)

    def _check(self, item: Item) -> None:
        findings = _guarded(diagnostics, self.document.snapshot(), item)
        before = self.findings.of(item)
        if findings or before is not NOTHING:
            unknown = _or_nothing(undescribed, self.document.snapshot(), item, {}) if findings else {}
            self.findings.note(item, replace(before, mistakes=mistakes(findings, unknown), whole=None))

    def check_first(self) -> None:
        """Looks at the first item that is to be looked at. What is made of a big one until that is given up is kept."""
        item = self.to_check.next
        self.check(item, first=self.to_check.comes_first(item))
        self.to_check.remove(item)
        self.document.memory.dismantle_lives()

    @property
    def has_work(self) -> bool:
        """Whether anything is to be looked at or lowered, or the document as a whole."""
        return bool(self.to_check or self.to_lower or self.is_to_be_looked_over)

    def prepare(self, item: Item) -> None:
        """Does ahead what the next edit of an item will need; what is in the way of it is told when it comes."""
        _or_nothing(prepare, self.document.snapshot(), item, None)

    def lower(self, item: Item) -> None:
        """Runs the pipeline on one item, and notes what it would leave behind."""
        snapshot, former = self.document.snapshot(), self.findings.of(item)
        findings, left, objected = _lowered(snapshot, item)
        self.attention.stuck += bool(findings) and former.left == NO_LEFTOVERS
        now = replace(former, left=left, objected=objected)
        if self._tells_unused:
            now = replace(now, unused=shown(_guarded(unused_values, snapshot, item)))
        if not is_large(self.document):
            now = replace(now, deprecated=shown(_guarded(deprecated_operations, snapshot, item)))
        self.findings.note(item, now)
        self.document.memory.dismantle_answers()

    def lower_first(self) -> None:
        """Runs the pipeline on the first item that is to be lowered; what takes long is to follow in the process beside
        the server. Of a big one that is broken nothing else would prepare the next edit. When none is left, the
        document is looked over."""
        if not self.to_lower:
            self.look_over()
            return
        item = self.to_lower.next
        if not self.findings.is_broken(item) and takes_long(self.document.snapshot(), item):
            self.to_lower_beside.add(item)
        else:
            if is_large(item):
                self.prepare(item)
            self.lower(item)
        self.to_lower.remove(item)

    def not_lowered(self, item: Item, reason: str) -> None:
        """Notes that an item could not be lowered, because of a fault of Fathom's own."""
        self.findings.note(item, replace(self.findings.of(item), left=leftovers((_fault(reason),), Gist())))

    def ask_for(self, function: str | None) -> bool:
        """Notes that somebody asked what becomes of a function, or of the whole document: all is shown of it from now
        on. Whether nobody had asked before."""
        is_new = self.attention.asked.note(function)
        self.findings.changes += is_new
        return is_new

    @property
    def _tells_unused(self) -> bool:
        """Whether what is not used is told: of a large document it is not looked for."""
        return self.document.settings.unused_diagnostics and not is_large(self.document)

    def look_at_names(self) -> None:
        """Finds out which symbols and aliases nothing names, when all else is done."""
        unused = unused_names(self.document.snapshot()) if self._tells_unused else {}
        for item in {*self.findings.items, *unused}:
            self.findings.note(item, replace(self.findings.of(item), unused_names=unused.get(item, ())))

    def look_over(self) -> None:
        """Finds out what no item shows by itself, when all else is done: what nothing names, and what is wrong with the
        whole."""
        self.look_at_names()
        try:
            self._look_at_whole()
        except Exception:
            _LOGGER.exception("a look at the whole of %s", self.document.uri)
        self.is_to_be_dated = has_outdated(self.document.snapshot())
        if not self.is_to_be_dated:
            self.findings.dated(())
        self.is_to_be_looked_over = False

    def dated(self, edition: str) -> None:
        """Notes the older release that the document is of; empty where it is of none."""
        self.is_to_be_dated = False
        self.findings.dated((age(edition),) if edition else ())

    def _look_at_whole(self) -> None:
        findings = self.findings
        known = {item: finding.mistakes.all for item, finding in findings.items.items()}
        for item, brace in unclosed_containers(self.document.tree).items():
            known[item] = (
                *(diagnostic for diagnostic in known.get(item, ()) if not stands_outside(item, brace, diagnostic)),
                brace,
            )
        whole_findings = as_a_whole(self.document.snapshot(), known)
        for item in {*findings.items, *whole_findings}:
            former = findings.of(item)
            whole = mistakes(whole_findings[item], former.mistakes.unknown) if item in whole_findings else None
            findings.note(item, replace(former, whole=whole))

    def found(
        self, *, with_unused: bool = False, with_deprecated: bool = False
    ) -> Iterator[tuple[int, list[Diagnostic]]]:
        """What is known to be wrong, item by item in the order of the text, with the indices of the items; and what is
        not used, or deprecated, if that is wanted."""
        is_asked = self.attention.asked.about(self.document)
        return self.findings.shown(self.document, is_asked, with_unused=with_unused, with_deprecated=with_deprecated)

    def lower_anew(self) -> None:
        """Everything is to be lowered again, since the pipeline is another one."""
        self.findings.forget_lowering()
        for item in self.document.tree.items:
            self.to_lower.add(item)


def _in_order(items: ChunkedSequence[Item], some: set[Item]) -> Iterator[Item]:
    """Some of the items of a document, in the order of the text."""
    return (item for _, item in items.in_order(some)) if some else iter(())


def _guarded(look: Query[Item, tuple[Diagnostic, ...]], snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """What a look at an item finds. A fault of Fathom's own in one must not keep the others from being looked at."""
    try:
        return look(snapshot, item)
    except Exception as fault:
        return (_noted(look, fault),)


def _or_nothing(look: Callable[[Snapshot, Item], T], snapshot: Snapshot, item: Item, nothing: T) -> T:
    """What a look at an item gives; nothing where a fault of Fathom's own is in the way."""
    try:
        return look(snapshot, item)
    except Exception as fault:
        _noted(look, fault)
        return nothing


def _lowered(snapshot: Snapshot, item: Item) -> tuple[tuple[Diagnostic, ...], Leftovers, Objections]:
    """What an item's lowering finds, what it leaves behind, and what it tells of other items. All of it is of one run
    of the pipeline: a fault of Fathom's own in that is told once."""
    try:
        findings = stalled(snapshot, item)
        left = leftovers(findings, gist(snapshot, item) if findings else Gist())
        return findings, left, objections(snapshot, item) if findings else ()
    except Exception as fault:
        findings = (_noted(stalled, fault),)
        return findings, leftovers(findings, Gist()), ()


def _noted(look: object, fault: Exception) -> Diagnostic:
    """A fault of Fathom's own in a look at an item, which stands in the log."""
    _LOGGER.error("%s of an item", look, exc_info=fault)
    return _fault(f"{type(fault).__name__}: {fault}")


def _fault(reason: str) -> Diagnostic:
    return Diagnostic(f"a fault in Fathom: {reason}", Span(0, 0), "information", INTERNAL)
