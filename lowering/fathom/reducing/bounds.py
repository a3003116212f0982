"""How much is tried, and what came of it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from fathom.records import record

Stop: TypeAlias = Literal["smallest", "tests", "seconds", "interrupted"]
"""Why a search ended: nothing smaller was found, so many tests or so much time were allowed, or somebody said so."""


@record
class Bounds:
    """How often the test is asked at most, and for how many seconds altogether (None: as long as it takes)."""

    tests: int = 10_000
    seconds: float | None = None


@record
class Reduced:
    """The smallest text that was found; of how many operations it is, and the text before was (None where they could
    not be counted, since there is a mistake in it); how often the test was asked, and why the search ended."""

    text: str
    operations: int | None
    operations_before: int | None
    tests: int
    stop: Stop
