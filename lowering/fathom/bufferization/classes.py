"""Sets of values that are the same in some respect: which may share a buffer, or have the same one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.ir.operation import Value


class Classes:
    """Disjoint sets. A union takes next to no time, and the members are in the order in which MLIR has them: those of
    the first set before those of the second."""

    __slots__ = ("_first", "_last", "_next", "_parent", "_size")

    def __init__(self) -> None:
        self._parent: dict[Value, Value] = {}
        self._size: dict[Value, int] = {}
        self._first: dict[Value, Value] = {}
        self._last: dict[Value, Value] = {}
        self._next: dict[Value, Value] = {}

    def add(self, value: Value) -> None:
        """A set of its own, if it is in none."""
        if value not in self._parent:
            self._parent[value] = self._first[value] = self._last[value] = value
            self._size[value] = 1

    def root(self, value: Value) -> Value:
        """The value by which the set of a value is known, until it is united with another."""
        parent = self._parent
        if value not in parent:
            return value
        root = value
        while parent[root] is not root:
            root = parent[root]
        while parent[value] is not root:
            parent[value], value = root, parent[value]
        return root

    def unite(self, one: Value, other: Value) -> None:
        """Makes one set of those of two values."""
        self.add(one)
        self.add(other)
        left, right = self.root(one), self.root(other)
        if left is right:
            return
        first, last = self._first[left], self._last[right]
        self._next[self._last[left]] = self._first[right]
        big, small = (left, right) if self._size[left] >= self._size[right] else (right, left)
        self._parent[small] = big
        self._size[big] += self._size[small]
        self._first[big], self._last[big] = first, last

    def are_one(self, one: Value, other: Value) -> bool:
        """Whether two values are in one set."""
        if one is other:
            return True
        return one in self._parent and other in self._parent and self.root(one) is self.root(other)

    def members(self, value: Value) -> Iterator[Value]:
        """All that are in the set of a value; none where it is in no set."""
        if value not in self._parent:
            return
        root = self.root(value)
        member, last = self._first[root], self._last[root]
        while True:
            yield member
            if member is last:
                return
            member = self._next[member]
