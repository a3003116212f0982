"""What something costs, counted instead of timed: the same number on any machine, whatever else it does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls_of(action: Callable[[], object]) -> int:
    """How many functions are called while an action is done, those of Python itself too."""
    count = 0

    def take(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(take)
    try:
        action()
    finally:
        sys.setprofile(before)
    return count


def check_follows_the_size(cost: Callable[[int], int], size: int) -> None:
    """What is four times as large costs about four times as much."""
    assert cost(4 * size) < 5 * cost(size)
