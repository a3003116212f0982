"""Queries: what is known of a version of a document. Each answer is worked out when it is asked for, and remembered for
as long as it is true.

A *query* is a function of a snapshot and a key. While it runs, the queries that it asks are noted: its answer is true
in a later version if theirs are. A *fact* is a query that reads the version itself, so it is asked again in each
version, once; whatever was made of it stays true if the fact is as it was. All other queries read nothing but facts,
other queries, and their key.

A `Memory` belongs to one version. The next version takes over what its predecessor remembered, but for what belongs to
the items that are gone; this is the only place where anything is given up. A snapshot of a former version, if it is
still asked, begins anew and so never answers from a version that is not its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar, TypeVarTuple

from fathom.syntax.tree import Item

if TYPE_CHECKING:
    from fathom_server.model.snapshot import Snapshot

K = TypeVarTuple("K")
V = TypeVar("V")


class Query(Generic[*K, V]):
    """A function of a snapshot and a key whose answers are remembered; called like the function itself.

    Answers about an item, the first part of the key, go with the item. Of others, and of big ones, the `keep` that were
    asked for last are kept.
    """

    def __init__(self, function: Callable[[Snapshot, *K], V], *, is_fact: bool, keep: int | None) -> None:
        self.function: Final = function
        self.is_fact: Final = is_fact
        self.keep: Final = keep
        self.__doc__ = function.__doc__

    def __call__(self, snapshot: Snapshot, *key: *K) -> V:
        return snapshot.memory.answer(self, snapshot, key)

    def remembered(self, snapshot: Snapshot, *key: *K) -> V | None:
        """The answer if it is at hand and true; None rather than working it out."""
        return snapshot.memory.answer(self, snapshot, key) if self.is_known(snapshot, *key, at_hand=True) else None

    def is_known(self, snapshot: Snapshot, *key: *K, at_hand: bool = False) -> bool:
        """Whether the answer that was given last is true in this version; with `at_hand` also still remembered."""
        return snapshot.memory.is_known(self, snapshot, key, at_hand=at_hand)

    def __repr__(self) -> str:
        return self.function.__name__


def query(keep: int | None = None) -> Callable[[Callable[[Snapshot, *K], V]], Query[*K, V]]:
    """Makes a query of a function that reads facts, queries and its key."""

    def decorate(function: Callable[[Snapshot, *K], V]) -> Query[*K, V]:
        return Query(function, is_fact=False, keep=keep)

    return decorate


def fact(function: Callable[[Snapshot, *K], V]) -> Query[*K, V]:
    """Makes a query of a function that reads the version; its answers are compared by `==`."""
    return Query(function, is_fact=True, keep=None)


_AnyQuery: TypeAlias = "Query[*tuple[Any, ...], Any]"
_Key: TypeAlias = "tuple[object, tuple[object, ...]]"

_FORGOTTEN: Final = object()
_STAMPS: Final = count()


class _Memo:
    """An answer. `asked` are the answers that it was made of, each with its stamp, which is another for each new
    answer; `checked` is the version for which it was last found to be true."""

    __slots__ = ("asked", "checked", "key", "query", "readers", "stamp", "value")

    def __init__(self, query: _AnyQuery, key: tuple[object, ...]) -> None:
        self.query = query
        self.key = key
        self.value: Any = _FORGOTTEN
        self.stamp = -1
        self.asked: tuple[tuple[_Memo, int], ...] = ()
        self.checked: object = None
        self.readers: set[_Memo] = set()

    @property
    def item(self) -> Item | None:
        """The item that the answer is about, if any."""
        first = self.key[0] if self.key else None
        return first if isinstance(first, Item) else None


class Memory:
    """What is remembered of one version."""

    def __init__(self) -> None:
        self._version = object()
        self._asking: list[dict[_Memo, int]] = []
        self._clear()

    def _clear(self) -> None:
        self._of_items: dict[Item, dict[_Key, _Memo]] = {}
        self._of_others: dict[_Key, _Memo] = {}
        self._recent: dict[_AnyQuery, OrderedDict[_Memo, None]] = {}
        self._unread: list[_Memo] = []

    def successor(self, removed: Iterable[Item] = ()) -> Memory:
        """The memory of the next version, from which the items `removed` are gone. This one is empty afterwards."""
        for item in removed:
            for memo in list(self._of_items.pop(item, {}).values()):
                self._drop(memo)
        for memo in self._unread:
            if not memo.readers:
                self._drop(memo)
        heir = Memory()
        heir._of_items, heir._of_others, heir._recent = self._of_items, self._of_others, self._recent
        self._clear()
        return heir

    def readers(self, fact: Query[*K, V], *key: *K) -> set[Item]:
        """The items about which something is remembered that was made of a fact."""
        memo = self._of_others.get((fact, key))
        return {reader.item for reader in memo.readers if reader.item is not None} if memo is not None else set()

    def items(self, query: Query[*K, V]) -> Iterator[Item]:
        """The items for which the answer of a query is at hand."""
        for item, memos in self._of_items.items():
            if any(memo.query is query and memo.value is not _FORGOTTEN for memo in memos.values()):
                yield item

    def __len__(self) -> int:
        return len(self._of_others) + sum(map(len, self._of_items.values()))

    # ---- answers

    def answer(self, query: _AnyQuery, snapshot: Snapshot, key: tuple[object, ...]) -> Any:
        memo = self._find(query, key)
        if memo is None:
            memo = self._add(_Memo(query, key))
            self._work_out(memo, snapshot)
            memo.stamp = next(_STAMPS)
        elif not self._is_true(memo, snapshot):
            self._work_out(memo, snapshot)
            memo.stamp = next(_STAMPS)
        elif memo.value is _FORGOTTEN:
            self._work_out(memo, snapshot)
        if self._asking:
            self._asking[-1][memo] = memo.stamp
        value = memo.value
        if query.keep is not None:
            self._touch(memo, query.keep)
        return value

    def is_known(self, query: _AnyQuery, snapshot: Snapshot, key: tuple[object, ...], *, at_hand: bool) -> bool:
        memo = self._find(query, key)
        if memo is None or (at_hand and memo.value is _FORGOTTEN):
            return False
        return self._is_true(memo, snapshot)

    def _is_true(self, memo: _Memo, snapshot: Snapshot) -> bool:
        """Whether an answer is that of this version too. Facts are asked again, and are true afterwards."""
        if memo.checked is self._version:
            return True
        if memo.query.is_fact:
            former = memo.value
            self._work_out(memo, snapshot)
            if memo.value is not former and memo.value != former:
                memo.stamp = next(_STAMPS)
            return True
        for other, stamp in memo.asked:
            if other.stamp != stamp or not self._is_true(other, snapshot) or other.stamp != stamp:
                return False
        memo.checked = self._version
        return True

    def _work_out(self, memo: _Memo, snapshot: Snapshot) -> None:
        self._release(memo)
        asked: dict[_Memo, int] = {}
        self._asking.append(asked)
        try:
            memo.value = memo.query.function(snapshot, *memo.key)
        except BaseException:
            self._drop(memo)
            raise
        finally:
            self._asking.pop()
        memo.checked = self._version
        if memo.query.is_fact:
            # What a fact asks on its way is no concern of those who ask for the fact.
            self._unread.append(memo)
            return
        memo.asked = tuple(asked.items())
        for other in asked:
            if other.query.is_fact:
                other.readers.add(memo)

    # ---- what is kept

    def _find(self, query: _AnyQuery, key: tuple[object, ...]) -> _Memo | None:
        first = key[0] if key else None
        if isinstance(first, Item):
            memos = self._of_items.get(first)
            return memos.get((query, key)) if memos is not None else None
        return self._of_others.get((query, key))

    def _add(self, memo: _Memo) -> _Memo:
        item = memo.item
        memos = self._of_others if item is None else self._of_items.setdefault(item, {})
        memos[memo.query, memo.key] = memo
        return memo

    def _touch(self, memo: _Memo, keep: int) -> None:
        """Notes that an answer was asked for, and gives up the one that was not for the longest time."""
        recent = self._recent.setdefault(memo.query, OrderedDict())
        recent[memo] = None
        recent.move_to_end(memo)
        if len(recent) > keep:
            oldest, _ = recent.popitem(last=False)
            if oldest.item is None:
                self._drop(oldest)
            else:
                # What it was made of stays known, so that what was made of it need not be made again.
                oldest.value = _FORGOTTEN

    def _drop(self, memo: _Memo) -> None:
        self._release(memo)
        memo.stamp, memo.value, memo.checked = -1, _FORGOTTEN, None
        item = memo.item
        memos = self._of_others if item is None else self._of_items.get(item, {})
        memos.pop((memo.query, memo.key), None)
        self._recent.get(memo.query, OrderedDict[_Memo, None]()).pop(memo, None)

    def _release(self, memo: _Memo) -> None:
        """Notes that an answer is no longer made of what it was made of."""
        for other, _ in memo.asked:
            if other.query.is_fact:
                other.readers.discard(memo)
                if not other.readers:
                    self._unread.append(other)
        memo.asked = ()
