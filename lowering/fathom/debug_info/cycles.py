"""What is made of things that refer to themselves: a cycle is cut where something in it can stand for itself.

What is made while something around it is open may hold what stands for that, and means the same only in there; so it is
known no longer than that is open. What is made without is known for good.

Source of the rules: MLIR 22, `CyclicReplacerCache`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

In = TypeVar("In")
Out = TypeVar("Out")


class _Open(Generic[In]):
    """One that is being made."""

    def __init__(self) -> None:
        self.within: set[In] = set()
        """What is known no longer than it is open."""
        self.needs: set[int] = set()
        """The open ones that what is in it stands for, by how deep they are."""


class Cycles(Generic[In, Out]):
    """Things that are made of others, each of what it is made of. `cut` gives what stands for one within itself, or
    None."""

    def __init__(self, make: Callable[[In], Out | None], cut: Callable[[In], Out | None], most: int) -> None:
        self._make = make
        self._cut = cut
        self._most = most
        """How deep they may be nested; what is deeper is left out."""
        self._known: dict[In, Out | None] = {}
        self._known_within: dict[In, tuple[Out | None, int]] = {}
        self._stack: list[_Open[In]] = []
        self._places: dict[In, list[int]] = {}

    def __call__(self, given: In) -> Out | None:
        if given in self._known:
            return self._known[given]
        within = self._known_within.get(given)
        if within is not None:
            self._stack[-1].needs.add(within[1])
            return within[0]
        places = self._places.setdefault(given, [])
        if places:
            made = self._cut(given)
            if made is not None:
                self._known_within[given] = made, places[-1]
                self._stack[-1].needs.add(places[-1])
                return made
        # One that cannot stand for itself is met again before a cycle is cut elsewhere.
        if len(places) > 1 or len(self._stack) >= self._most:
            return None
        places.append(len(self._stack))
        opened = _Open[In]()
        self._stack.append(opened)
        made = self._make(given)
        self._close(given, made, opened)
        return made

    def is_repeated(self) -> bool:
        """Whether something in the innermost one that is open stands for it."""
        return len(self._stack) - 1 in self._stack[-1].needs

    def _close(self, given: In, made: Out | None, closed: _Open[In]) -> None:
        self._stack.pop()
        closed.needs.discard(len(self._stack))
        if not closed.needs or not self._stack:
            self._known[given] = made
        else:
            deepest = max(closed.needs)
            self._known_within[given] = made, deepest
            self._stack[-1].needs |= closed.needs
            self._stack[deepest].within.add(given)
        for inner in closed.within:
            self._known_within.pop(inner, None)
        places = self._places[given]
        places.pop()
        if not places:
            del self._places[given]
