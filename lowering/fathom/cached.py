"""What is worked out when it is first asked for, and then known."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 - it takes the place of the one in `functools`
    """`functools.cached_property` as it is from Python 3.12 on: that of 3.11 holds a lock of the class while it works
    something out. Where that stands still between two slices (`fathom.slices`), nothing else could ask for the same of
    another object, and the server would wait for itself."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> T | Self:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._function(instance)
        return value


MOST_KEPT: Final = 1024
LONGEST_KEPT: Final = 500
"""So many answers for texts are kept, of texts no longer than this: somebody may write any number of long ones."""


def of_short_text(function: Callable[[str], T]) -> Callable[[str], T]:
    """A function of a text that remembers what it said of short ones. Nobody may change its answers."""
    known = lru_cache(MOST_KEPT)(function)

    @wraps(function)
    def ask(text: str) -> T:
        return known(text) if len(text) <= LONGEST_KEPT else function(text)

    return ask
