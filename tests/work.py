"""What something costs, counted instead of timed: the same number on any machine, whatever else it does."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile


def calls_of(action: Callable[[], object]) -> int:
    """How many functions are called while an action is done, those of Python itself too."""
    profile = Profile()
    profile.runcall(action)
    return sum(entry.callcount for entry in profile.getstats())


def check_follows_the_size(cost: Callable[[int], int], size: int) -> None:
    """What is four times as large costs about four times as much."""
    assert cost(4 * size) < 5 * cost(size)
