"""What passes count while they run, for whoever asked for it (`fathom.pipeline.statistics`)."""

from __future__ import annotations

from collections import Counter
from contextvars import ContextVar
from typing import Final

_COUNTS: Final[ContextVar[Counter[str] | None]] = ContextVar("counts", default=None)


def count(name: str, number: int) -> None:
    """Adds to what is counted under a name of `Pass.statistics`."""
    counts = _COUNTS.get()
    if counts is not None:
        counts[name] += number


def count_most(name: str, number: int) -> None:
    """The same of what the greatest number is kept of."""
    counts = _COUNTS.get()
    if counts is not None:
        counts[name] = max(counts[name], number)


def begin_counting(counts: Counter[str]) -> None:
    """From now on passes count here."""
    _COUNTS.set(counts)


def end_counting() -> None:
    """Nobody asks any more."""
    _COUNTS.set(None)
