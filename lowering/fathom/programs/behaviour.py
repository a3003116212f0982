"""What a function does when it is called: what it returns, leaves in its arguments and prints, or how it fails."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from fathom.execution import Json, RunOutcome
from fathom.execution.nearness import is_near
from fathom.records import record

_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
UNDEFINED: Final[Json] = {"undefined": True}
"""A value that nothing is said of, known by its identity."""
_NOT_COMPARED: Final = ("type", "deallocated")
"""What is told of a memref beside its elements; its type is that of the stage."""


@record
class Behaviour:
    """What came of a call, by a way that is told in `way`, after so many `steps` where it was interpreted; or why that
    is not `known`. Of what it printed all is told unless `tells_printed` is false."""

    outcome: RunOutcome
    way: str = ""
    unknown: str = ""
    steps: int = 0
    tells_printed: bool = True

    @property
    def is_known(self) -> bool:
        return not self.unknown

    def agrees_with(self, other: Behaviour, tolerance: float) -> bool:
        """Whether both are the same: exactly, but for numbers with a fraction that are within `tolerance` of each
        other, relative to the greater one if that is above 1. Of failures the kinds are compared, since addresses and
        times differ. What is not known agrees with everything."""
        if not (self.is_known and other.is_known):
            return True
        one, two = self.outcome, other.outcome
        if one.failure is not None or two.failure is not None:
            return one.failure is not None and two.failure is not None and one.failure.kind == two.failure.kind
        return (
            are_equal(one.results, two.results, tolerance)
            and are_equal(one.arguments, two.arguments, tolerance)
            and (not (self.tells_printed and other.tells_printed) or _are_same_words(one.stdout, two.stdout, tolerance))
        )


def unknown(why: str, way: str = "") -> Behaviour:
    """A behaviour that could not be found out."""
    return Behaviour(RunOutcome(), way, why)


def are_equal(one: Json, two: Json, tolerance: float) -> bool:
    """Whether two values are equal, numbers with a fraction within a tolerance. What is undefined is equal to all."""
    if one is UNDEFINED or two is UNDEFINED:
        return True
    if isinstance(one, (bool, str)) or one is None or isinstance(two, (bool, str)) or two is None:
        return one == two
    if isinstance(one, (int, float)) and isinstance(two, (int, float)):
        if isinstance(one, int) and isinstance(two, int):
            return one == two
        return is_near(one, two, tolerance)
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        keys = [key for key in (one.keys() | two.keys()) if key not in _NOT_COMPARED]
        return all(key in one and key in two and are_equal(one[key], two[key], tolerance) for key in keys)
    if isinstance(one, Sequence) and isinstance(two, Sequence):
        return len(one) == len(two) and all(are_equal(a, b, tolerance) for a, b in zip(one, two, strict=True))
    return False


def _are_same_words(one: str, two: str, tolerance: float) -> bool:
    """Whether two texts are the same but for numbers that are within a tolerance."""
    if one == two or not tolerance:
        return one == two
    numbers = [list(map(float, _NUMBER.findall(text))) for text in (one, two)]
    return _NUMBER.sub("#", one) == _NUMBER.sub("#", two) and are_equal(numbers[0], numbers[1], tolerance)
