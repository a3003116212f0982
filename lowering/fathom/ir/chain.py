"""The doubly linked list that a block is of its operations, and a region of its blocks.

An insertion or a removal costs the same anywhere. What stands in a chain knows its neighbours and its parent, so it
stands in one chain at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar


class Link(Protocol):
    """What can stand in a chain."""

    parent: Any
    previous: Any
    next: Any


LinkT = TypeVar("LinkT", bound=Link)


def stands_before(link: LinkT, other: LinkT) -> bool:
    """Whether `link` stands before `other`, both in the same chain. It is gone through from both, to both sides, until
    one meets the other or an end: at the cost of the way between them, or of the way to an end if that is shorter."""
    if link is other:
        return False
    after, after_other, before, before_other = link, other, link, other
    while True:
        after, after_other = after.next, after_other.next
        if after is other or after_other is None:
            return True
        if after_other is link or after is None:
            return False
        before, before_other = before.previous, before_other.previous
        if before_other is link or before is None:
            return True
        if before is other or before_other is None:
            return False


class Chain(Generic[LinkT]):
    """A doubly linked list; who inherits from it has the slots `first` and `last`."""

    __slots__ = ()

    first: LinkT | None
    last: LinkT | None

    def links(self) -> Iterator[LinkT]:
        """What stands here, in order. Safe when the one that was given last is removed."""
        link = self.first
        while link is not None:
            following: LinkT | None = link.next
            yield link
            link = following

    @property
    def is_empty(self) -> bool:
        return self.first is None

    def append(self, link: LinkT) -> LinkT:
        """Puts `link`, which stands nowhere, at the end, and returns it."""
        last = self.last
        link.parent, link.previous, link.next = self, last, None
        if last is None:
            self.first = link
        else:
            last.next = link
        self.last = link
        return link

    def insert_before(self, link: LinkT, anchor: LinkT | None) -> LinkT:
        """Puts `link`, which stands nowhere, before `anchor`, or at the end when `anchor` is None, and returns it."""
        link.parent = self
        link.next = anchor
        link.previous = self.last if anchor is None else anchor.previous
        if link.previous is None:
            self.first = link
        else:
            link.previous.next = link
        if anchor is None:
            self.last = link
        else:
            anchor.previous = link
        return link

    def remove(self, link: LinkT) -> None:
        """Takes `link`, which stands here, out."""
        if link.previous is None:
            self.first = link.next
        else:
            link.previous.next = link.next
        if link.next is None:
            self.last = link.previous
        else:
            link.next.previous = link.previous
        link.parent = link.previous = link.next = None
