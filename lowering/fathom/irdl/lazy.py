"""A mapping whose values are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

from fathom.cached import cached_property

V = TypeVar("V")


class Lazy(Mapping[str, V]):
    """A mapping whose values are made when they are first asked for. A name that yields None is not in it."""

    def __init__(self, names: Callable[[], list[str]], make: Callable[[str], V | None]) -> None:
        self._list = names
        self._make = make
        self._made: dict[str, V | None] = {}

    @cached_property
    def _names(self) -> dict[str, None]:
        return dict.fromkeys(self._list())

    @property
    def possible(self) -> Collection[str]:
        """The names that may be in it; no value is made for them."""
        return self._names

    def __getitem__(self, key: str) -> V:
        if key not in self._made:
            self._made[key] = self._make(key) if key in self._names else None
        value = self._made[key]
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def possible_names(mapping: Mapping[str, object]) -> Collection[str]:
    """The names that may be in a mapping. No value of a lazy one is made for them."""
    possible: Collection[str] | None = getattr(mapping, "possible", None)
    return mapping if possible is None else possible


class Joined(Mapping[str, V]):
    """Two mappings as one; where both have a name, the first counts."""

    def __init__(self, first: Mapping[str, V], second: Mapping[str, V]) -> None:
        self._first = first
        self._second = second

    @property
    def possible(self) -> Collection[str]:
        """The names that may be in it; no value is made for them."""
        return {**dict.fromkeys(possible_names(self._first)), **dict.fromkeys(possible_names(self._second))}

    def __getitem__(self, key: str) -> V:
        return self._first[key] if key in self._first else self._second[key]

    def __iter__(self) -> Iterator[str]:
        yield from self._first
        yield from (key for key in self._second if key not in self._first)

    def __len__(self) -> int:
        return sum(1 for _ in self)
