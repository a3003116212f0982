"""Numbers that are near each other, as Python's own `math.isclose` has it, but for integers of any size."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from fathom.execution.nearness import is_near


@given(st.floats(), st.floats(), st.sampled_from((0.0, 1e-9, 1e-3, 0.5)))
def test_floats(one: float, other: float, tolerance: float) -> None:
    assert is_near(one, other, tolerance) == math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


HUGE = 1 << 4000
"""No float holds it."""
CASES = (
    (3, 4, 1, True),
    (3, 5, 0.3, False),
    (100, 101, 0.01, True),
    (100.0, 101.02, 0.01, False),
    (HUGE, HUGE + 1, 0, False),
    (HUGE, HUGE + 1, 1e-9, True),
    (HUGE, 1.0, 1e-9, False),
    (math.inf, math.inf, 0, True),
    (math.inf, -math.inf, 0.5, False),
    (math.inf, HUGE, 0.5, False),
    (math.nan, HUGE, 0.5, False),
)


def test_numbers() -> None:
    for one, other, tolerance, near in CASES:
        assert is_near(one, other, tolerance) == near, (one, other)
        assert is_near(other, one, tolerance) == near, (other, one)
