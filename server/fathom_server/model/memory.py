"""What is remembered of a version of a document: the answers of queries, and the facts that they follow from.

A `Memory` belongs to one version. The next version takes over what its predecessor remembered, but for what belongs to
the items that are gone; this is the only place where anything is given up. A snapshot of a former version, if it is
still asked, begins anew and so never answers from a version that is not its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, TypeVarTuple, cast

from fathom.records import field, record
from fathom.syntax.tree import Item
from fathom_server.model.queries import Query

if TYPE_CHECKING:
    from fathom.syntax.sequence import ChunkedSequence
    from fathom_server.model.live_items import LiveItem
    from fathom_server.model.reach import Reach
    from fathom_server.model.snapshot import Snapshot

K = TypeVarTuple("K")
V = TypeVar("V")

_AnyQuery: TypeAlias = "Query[*tuple[Any, ...], Any]"
_Key: TypeAlias = "tuple[object, ...]"


@record
class Stale:
    """What was remembered and is not true any more: the items that answers were about, by their queries, and of which
    queries facts `changed`."""

    answers: Mapping[_AnyQuery, Set[Item]] = field(default_factory=dict["_AnyQuery", "Set[Item]"])
    changed: Set[_AnyQuery] = frozenset()

    def items(self, *queries: Query[Item, Any]) -> set[Item]:
        """The items of which something that one of these queries said is not true any more."""
        return {item for query in queries for item in self.answers.get(query, ())}


NOTHING_STALE: Final = Stale()


_LOGGER = logging.getLogger(__name__)

MOST_FORGOTTEN: Final = 256
"""So many answers that are not kept any more are taken apart."""


class _Reading:
    """What a fact was when it was read. Another one takes its place when the fact has changed."""

    __slots__ = ("fact",)

    def __init__(self, fact: _Fact) -> None:
        self.fact = fact

    @property
    def is_current(self) -> bool:
        return self.fact.reading is self


class _Answer:
    """An answer, and the facts that it follows from, its own and those of the answers that it was made of. `checked` is
    the version in which it was last found to be true."""

    __slots__ = ("checked", "facts", "key", "query", "value")

    def __init__(self, query: _AnyQuery, key: _Key) -> None:
        self.query = query
        self.key = key
        self.value: Any = None
        self.facts: tuple[_Reading, ...] = ()
        self.checked: object = None

    @property
    def item(self) -> Item | None:
        """The item that the answer is about, or that has what it is about, if any."""
        first = self.key[0] if self.key else None
        item = first if isinstance(first, Item) else getattr(first, "item", None)
        return item if isinstance(item, Item) else None


class _Fact(_Answer):
    """A fact, and the answers that follow from it."""

    __slots__ = ("reading", "users")

    def __init__(self, query: _AnyQuery, key: _Key) -> None:
        super().__init__(query, key)
        self.reading = _Reading(self)
        self.users: set[_Answer] = set()

    def dismantle(self) -> None:
        """Ends the circles that the fact is part of. Nobody may ask for it afterwards."""
        self.users.clear()
        self.reading = _Reading.__new__(_Reading)


def _items(answers: Iterable[_Answer]) -> set[Item]:
    """The items that answers are about."""
    return {answer.item for answer in answers if answer.item is not None}


class Memory:
    """What is remembered of one version."""

    def __init__(self) -> None:
        self._version = object()
        self._asking: list[dict[_Reading, None]] = []
        self.lives: dict[Item, LiveItem] | None = {}
        """The IR of big items, which changes in place; None once the version is a former one."""
        self._forgotten_lives: list[LiveItem] = []
        """The IR that nobody needs any more, to be taken apart."""
        self._forgotten: list[_Answer] = []
        """Answers that are not kept any more, and are to be taken apart."""
        self.told: dict[str, ChunkedSequence[Item]] = {}
        """The items of the versions of which the client was told the tokens, by the name that each has for it; it is
        told next what has changed since. They are those of the document, whatever its version is."""
        self._clear()

    def _clear(self) -> None:
        self._facts: dict[_AnyQuery, dict[_Key, _Fact]] = {}
        self._filed: dict[_AnyQuery, dict[object, dict[_Fact, None]]] = {}
        """The facts of those queries that are not filed under the first part of their keys."""
        self._unused: list[_Fact] = []
        # Of queries with `keep` those that were asked for last stand last.
        self._answers: dict[_AnyQuery, dict[_Key, _Answer]] = {}
        self._kept: dict[Item, dict[_Answer, None]] = {}
        """By item, the answers about it whose key is not the item alone."""

    def successor(self, removed: Iterable[Item] = (), added: Sequence[Item] = ()) -> Memory:
        """The memory of the next version, from which the items `removed` are gone. This one is empty afterwards.

        Where one item took the place of one, that was `added`, it goes on as what that was."""
        gone = set(removed)
        for item in gone:
            answered = [answer for answers in self._answers.values() if (answer := answers.get((item,))) is not None]
            for answer in (*answered, *self._kept.get(item, ())):
                self._forget(answer, is_gone=True)
        for fact in self._unused:
            if not fact.users and self._facts[fact.query].pop(fact.key, None) is not None:
                self._unfile(fact)
                fact.dismantle()
        heir = Memory()
        heir._facts, heir._answers, heir.told = self._facts, self._answers, self.told
        heir._filed, heir._kept = self._filed, self._kept
        heir._forgotten, self._forgotten = self._forgotten, []
        if self.lives is not None:
            for item in self.lives.keys() & gone:
                if len(gone) == len(added) == 1:
                    self.lives[added[0]] = self.lives.pop(item)
                else:
                    self.forget_live(item)
            heir.lives, self.lives = self.lives, None
            heir._forgotten_lives = self._forgotten_lives
        self._clear()
        return heir

    def forget_live(self, item: Item) -> None:
        """Nobody needs the IR of an item any more that changed in place."""
        if self.lives is not None and (live := self.lives.pop(item, None)) is not None:
            self._forgotten_lives.append(live)

    def close(self) -> None:
        """Takes all IR apart that changed in place, and what refers to each other in circles. Nobody asks this memory
        any more, and the garbage collector may never come for it (`session/collector.py`)."""
        for item in list(self.lives or ()):
            self.forget_live(item)
        self.dismantle_lives()
        # It is done in a thread of its own: whoever still looks at the document finds nothing remembered.
        known = self._facts
        for query, answers in self._answers.items():
            if query.ends is not None:
                self._forgotten += answers.values()
        self.dismantle_answers()
        self._clear()
        for facts in list(known.values()):
            for fact in list(facts.values()):
                fact.dismantle()

    def dismantle_lives(self) -> None:
        """Takes the IR apart that was given up, which is many objects in circles: the garbage collector would come for
        it late, and never for what was made when the document was opened (`Session.open`)."""
        while self._forgotten_lives:
            self._forgotten_lives[0].dismantle()
            del self._forgotten_lives[0]

    def dismantle_answers(self) -> None:
        """Takes the answers apart that are not kept any more. Nobody may be at work with one."""
        while self._forgotten:
            answer = self._forgotten.pop()
            if answer.query.ends is not None:
                answer.query.ends(answer.value, answer.key)

    def stale(self, snapshot: Snapshot, reach: Reach) -> Stale:
        """What is remembered and not true any more, since an edit that reaches so far made this version."""
        changed: set[_AnyQuery] = set()
        gone: dict[_AnyQuery, set[Item]] = {}
        for query in list(self._facts):
            for fact in self._reached(query, reach):
                if fact.users and self._is_another(fact, snapshot):
                    changed.add(query)
                    for answer in fact.users:
                        if (item := answer.item) is not None:
                            gone.setdefault(answer.query, set()).add(item)
        return Stale(gone, changed)

    def items(self, query: Query[*K, V]) -> set[Item]:
        """The items for which an answer of a query is remembered."""
        return _items(self._answers.get(query, {}).values())

    def answers(self, query: Query[*K, V]) -> dict[tuple[*K], V]:
        """The answers of a query that are remembered, by their keys, whether they are true in this version or not."""
        return {cast("tuple[*K]", key): answer.value for key, answer in self._answers.get(query, {}).items()}

    def learn(self, query: Query[*K, V], *key: *K, answer: V, follows_from: Callable[[], object]) -> None:
        """Takes over an answer that was worked out elsewhere. It is true for as long as all that `follows_from`, which
        is called, asks for."""
        asked: dict[_Reading, None] = {}
        self._asking.append(asked)
        try:
            follows_from()
        finally:
            self._asking.pop()
        self._remember(query, key, answer, tuple(asked))

    def __len__(self) -> int:
        return sum(map(len, self._answers.values())) + sum(map(len, self._facts.values()))

    # ---- answers

    def answer(self, query: _AnyQuery, snapshot: Snapshot, key: _Key) -> Any:
        if query.filing is not None:
            fact = self._fact(query, key, snapshot)
            if self._asking:
                self._asking[-1][fact.reading] = None
            return fact.value
        answers = self._answers.get(query)
        if answers is None:
            answers = self._answers[query] = {}
        answer = answers.get(key)
        if answer is None or not self._is_true(answer, snapshot):
            answer = self._work_out(query, snapshot, key)
        elif query.keep is not None:
            answers[answer.key] = answers.pop(key)
        if self._asking:
            self._asking[-1].update(dict.fromkeys(answer.facts))
        return answer.value

    def is_known(self, query: _AnyQuery, snapshot: Snapshot, key: _Key) -> bool:
        answers = self._answers.get(query)
        answer = answers.get(key) if answers is not None else None
        return answer is not None and self._is_true(answer, snapshot)

    def _is_true(self, answer: _Answer, snapshot: Snapshot) -> bool:
        """Whether an answer is that of this version too."""
        if answer.checked is self._version:
            return True
        for reading in answer.facts:
            self._refresh(reading.fact, snapshot)
            if not reading.is_current:
                return False
        answer.checked = self._version
        return True

    def _work_out(self, query: _AnyQuery, snapshot: Snapshot, key: _Key) -> _Answer:
        former = self._answers[query].get(key)
        if former is not None:
            self._forget(former)
        asked: dict[_Reading, None] = {}
        self._asking.append(asked)
        try:
            value = query.function(snapshot, *key)
        finally:
            self._asking.pop()
        return self._remember(query, key, value, tuple(asked))

    def _remember(self, query: _AnyQuery, key: _Key, value: Any, facts: tuple[_Reading, ...]) -> _Answer:
        answers = self._answers.setdefault(query, {})
        former = answers.get(key)
        if former is not None:
            self._forget(former)
        answer = _Answer(query, key)
        answer.value, answer.facts, answer.checked = value, facts, self._version
        for reading in facts:
            reading.fact.users.add(answer)
        answers[key] = answer
        if (item := answer.item) is not None and key != (item,):
            self._kept.setdefault(item, {})[answer] = None
        if query.keep is not None and len(answers) > query.keep:
            self._forget(next(iter(answers.values())))
        return answer

    def _forget(self, answer: _Answer, *, is_gone: bool = False) -> None:
        del self._answers[answer.query][answer.key]
        if (item := answer.item) is not None and (kept := self._kept.get(item)) is not None:
            kept.pop(answer, None)
            if not kept:
                del self._kept[item]
        if answer.query.ends is not None and (is_gone or not answer.query.is_shared):
            # Where nobody tidies up for long, as while one only reads, the garbage collector may come for the first.
            del self._forgotten[: max(len(self._forgotten) + 1 - MOST_FORGOTTEN, 0)]
            self._forgotten.append(answer)
        for reading in answer.facts:
            users = reading.fact.users
            users.discard(answer)
            if not users:
                self._unused.append(reading.fact)

    # ---- facts

    def _fact(self, query: _AnyQuery, key: _Key, snapshot: Snapshot) -> _Fact:
        facts = self._facts.get(query)
        if facts is None:
            facts = self._facts[query] = {}
        fact = facts.get(key)
        if fact is None:
            fact = _Fact(query, key)
            self._unused.append(fact)
            self._read(fact, snapshot)
            facts[key] = fact
            self._file(fact)
        else:
            self._refresh(fact, snapshot)
        return fact

    def _refresh(self, fact: _Fact, snapshot: Snapshot) -> bool:
        """Reads a fact again, once in each version. Whether it was read now, and is another one."""
        if fact.checked is self._version:
            return False
        former = fact.value
        self._read(fact, snapshot)
        if fact.value is former or fact.value == former:
            return False
        fact.reading = _Reading(fact)
        return True

    def _is_another(self, fact: _Fact, snapshot: Snapshot) -> bool:
        """Whether a fact is to be taken for another one than in the version before; so is one that cannot be read."""
        if fact.query.filing is not None and fact.query.filing.is_costly:
            return True
        try:
            return self._refresh(fact, snapshot)
        except Exception:
            _LOGGER.exception("%s after an edit", fact.query)
            return True

    def _file(self, fact: _Fact) -> None:
        by = fact.query.filing and fact.query.filing.by
        if by is not None:
            filed = self._filed.setdefault(fact.query, {})
            for name in by(*fact.key):
                filed.setdefault(name, {})[fact] = None

    def _unfile(self, fact: _Fact) -> None:
        by = fact.query.filing and fact.query.filing.by
        if by is not None:
            filed = self._filed[fact.query]
            for name in by(*fact.key):
                here = filed.get(name, {})
                here.pop(fact, None)
                if not here:
                    filed.pop(name, None)

    def _reached(self, query: _AnyQuery, reach: Reach) -> Iterable[_Fact]:
        """The facts that an edit can have changed."""
        facts, filing = self._facts[query], query.filing
        wanted = filing.reached(reach) if filing is not None else ()
        if wanted is None or (wanted and () in facts):
            return list(facts.values())
        if filing is None or filing.by is None:
            return [facts[name,] for name in wanted if (name,) in facts]
        filed = self._filed.get(query, {})
        return [fact for name in wanted for fact in filed.get(name, ())]

    def _read(self, fact: _Fact, snapshot: Snapshot) -> None:
        # What a fact asks on its way is no concern of those who ask for the fact.
        self._asking.append({})
        try:
            fact.value = fact.query.function(snapshot, *fact.key)
        finally:
            self._asking.pop()
        fact.checked = self._version
