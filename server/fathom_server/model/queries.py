"""Queries: what is known of a version of a document. Each answer is worked out when it is asked for, and remembered for
as long as it is true (`memory.py`).

A *query* is a function of a snapshot and a key. A *fact* is a query that reads the version itself; all others read
nothing but facts, other queries, and their key. While a query runs, the facts that it asks for are noted, also those
that others ask for on its behalf: its answer is true in a later version if these are as they were. A fact is read again
in each version in which somebody wants to know, once. It says which edits can change it, so that what an edit makes
stale is found by the edit and not by looking at all that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar, TypeVarTuple

from fathom.records import record

if TYPE_CHECKING:
    from fathom_server.model.reach import Reach
    from fathom_server.model.snapshot import Snapshot

K = TypeVarTuple("K")
V = TypeVar("V")


NONE: Final[Collection[object]] = ()
"""No edit changes it: only the settings do, or nobody is to be told."""
ALWAYS: Final[Collection[object]] = (None,)
"""Each edit may change it."""

Reached: TypeAlias = "Callable[[Reach], Collection[object] | None]"


@record
class Filing:
    """How it is found out which facts of a query an edit can have changed (`fact`)."""

    reached: Reached
    by: Callable[..., Iterable[object]] | None
    is_costly: bool


Ending: TypeAlias = "Callable[[Any, tuple[object, ...]], None]"
"""Takes an answer of a query apart, given its key as well."""


class Query(Generic[*K, V]):
    """A function of a snapshot and a key whose answers are remembered; called like the function itself.

    With `keep`, so many answers are kept, those that were asked for last. Without, the key is one item, and the answer
    goes with the item. An answer that is not kept any more is dismantled by `ends`, which gets its key too, when nobody
    can still be at work with it (`Memory.dismantle_answers`); with `is_shared`, since others may look at it still, only
    when the item that it is about is gone, or the document is closed.
    """

    def __init__(
        self,
        function: Callable[[Snapshot, *K], V],
        *,
        filing: Filing | None = None,
        keep: int | None = None,
        ends: Ending | None = None,
        is_shared: bool = False,
    ) -> None:
        self.function: Final = function
        self.filing: Final = filing
        self.keep: Final = keep
        self.ends: Final = ends
        self.is_shared: Final = is_shared
        self.__doc__ = function.__doc__

    def __call__(self, snapshot: Snapshot, *key: *K) -> V:
        return snapshot.memory.answer(self, snapshot, key)

    def remembered(self, snapshot: Snapshot, *key: *K) -> V | None:
        """The answer if it is at hand and true; None rather than working it out."""
        return self(snapshot, *key) if self.is_known(snapshot, *key) else None

    def is_known(self, snapshot: Snapshot, *key: *K) -> bool:
        """Whether the answer is at hand and true in this version."""
        return snapshot.memory.is_known(self, snapshot, key)

    def __repr__(self) -> str:
        return self.function.__name__


def query(
    keep: int | None = None, ends: Ending | None = None, *, is_shared: bool = False
) -> Callable[[Callable[[Snapshot, *K], V]], Query[*K, V]]:
    """Makes a query of a function that reads facts, queries and its key. `keep` may be left out if that is an item."""

    def decorate(function: Callable[[Snapshot, *K], V]) -> Query[*K, V]:
        return Query(function, keep=keep, ends=ends, is_shared=is_shared)

    return decorate


def fact(
    reached: Reached, by: Callable[..., Iterable[object]] | None = None, *, is_costly: bool = False
) -> Callable[[Callable[[Snapshot, *K], V]], Query[*K, V]]:
    """Makes a query of a function that reads the version; its answers are compared by `==`.

    `reached` says which of the facts an edit can have changed, by what they are filed under: `by`, or the first part
    of the key if that is left out; None if each may be another. What has no key may be one if there are any.
    What `is_costly` is taken for another one without being read."""

    def decorate(function: Callable[[Snapshot, *K], V]) -> Query[*K, V]:
        return Query(function, filing=Filing(reached, by, is_costly))

    return decorate
