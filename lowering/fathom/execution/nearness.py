"""Whether two numbers are the same but for how they were rounded."""

from __future__ import annotations

from fractions import Fraction
from math import inf


def is_near(one: float, other: float, tolerance: float) -> bool:
    """Whether two numbers are equal, or no further from each other than the tolerance, or than so much of the greater
    of both, as `math.isclose` has it with the same tolerance of both kinds. Integers may be of any size."""
    if one == other:
        return True
    if not (abs(one) < inf and abs(other) < inf):
        return False
    try:
        return abs(one - other) <= tolerance * max(1.0, abs(one), abs(other))
    except OverflowError:
        # Beyond what a float holds.
        first, second = Fraction(one), Fraction(other)
        return abs(first - second) <= Fraction(tolerance) * max(abs(first), abs(second))
