"""What is to be done with items of a document: first with those that edits concern, then with the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fathom.syntax.tree import Item


class Queue:
    """Items that wait, each once. They are in the document: one that an edit took away is to be taken out."""

    __slots__ = ("_first", "_others")

    def __init__(self, others: Iterable[Item] = ()) -> None:
        self._first: dict[Item, None] = {}
        self._others = dict.fromkeys(others)

    def add(self, item: Item, *, first: bool = False) -> None:
        """Has an item wait behind the others, or behind those that come first. One that waits already does not wait
        longer."""
        if first:
            self._others.pop(item, None)
            self._first.setdefault(item)
        elif item not in self._first:
            self._others.setdefault(item)

    def put_before(self, items: Iterable[Item]) -> None:
        """Has items wait before all others, in their order."""
        before = dict.fromkeys(items)
        for item in before:
            self.remove(item)
        self._first = {**before, **self._first}

    def remove(self, item: Item) -> None:
        """Takes an item out, if it waits."""
        self._first.pop(item, None)
        self._others.pop(item, None)

    @property
    def has_first(self) -> bool:
        """Whether an item waits that edits concern."""
        return bool(self._first)

    def comes_first(self, item: Item) -> bool:
        """Whether an item waits with those that come first."""
        return item in self._first

    @property
    def next(self) -> Item:
        """The item whose turn it is. There must be one."""
        return next(iter(self._first or self._others))

    def __contains__(self, item: object) -> bool:
        return item in self._first or item in self._others

    def __iter__(self) -> Iterator[Item]:
        yield from self._first
        yield from self._others

    def __len__(self) -> int:
        return len(self._first) + len(self._others)
