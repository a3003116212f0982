"""Casts of each other, which stand for nothing: what a pattern erased that is in use may leave them."""

from __future__ import annotations

from tests.cli.running import fathom

CIRCLE = """\
module {
  %0 = unrealized_conversion_cast %1 : i32 to i64
  %1 = unrealized_conversion_cast %0 : i64 to i32
  %2 = unrealized_conversion_cast %0 : i64 to f32
  "test.use"(%2) : (f32) -> ()
}
"""


def test_a_circle_of_casts_stays() -> None:
    """The oracle does not end on it."""
    status, out, error = fathom("opt", "--allow-unregistered-dialect", "--reconcile-unrealized-casts", text=CIRCLE)
    assert (status, out.rstrip("\n") + "\n", error) == (0, CIRCLE, "")
