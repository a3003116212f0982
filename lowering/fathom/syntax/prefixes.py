"""Sequences that grow at their end, of which each state stays: what was read of an operation when each of its many
regions opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")


class Prefix(Sequence[T]):
    """The first elements of a list that later states of the sequence share. It does not change."""

    __slots__ = ("_count", "_shared")

    def __init__(self, elements: Sequence[T] = ()) -> None:
        self._shared = list(elements)
        self._count = len(self._shared)

    def then(self, elements: Sequence[T]) -> Prefix[T]:
        """The sequence with others behind it: at the cost of these alone, unless it was gone on with before."""
        following: Prefix[T] = Prefix()
        following._shared = self._shared if self._count == len(self._shared) else self._shared[: self._count]
        following._shared += elements
        following._count = len(following._shared)
        return following

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return islice(self._shared, self._count)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self._shared[number] for number in range(self._count)[index]]
        return self._shared[range(self._count)[index]]
