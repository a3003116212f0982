"""What something costs, counted instead of timed: the same number on any machine, whatever else it does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from cProfile import Profile

from fathom.slices import Slices


def calls_of(action: Callable[[], object]) -> int:
    """How many functions are called while an action is done, those of Python itself too."""
    profile = Profile()
    profile.runcall(action)
    return sum(entry.callcount for entry in profile.getstats())


def longest_slice(action: Callable[[], object]) -> int:
    """How many functions are called at most between two checkpoints of an action."""
    calls = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    work, longest = Slices(action), 0
    threading.setprofile(note)
    try:
        while not work.is_over:
            before = calls
            work.go_on(0.0)
            longest = max(longest, calls - before)
    finally:
        threading.setprofile(None)
    work.result()
    return longest


def check_follows_the_size(cost: Callable[[int], int], size: int) -> None:
    """What is four times as large costs about four times as much."""
    assert cost(4 * size) < 5 * cost(size)
