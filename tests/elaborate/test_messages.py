"""Mistakes that Fathom reports where they can be mended, unlike MLIR. What both report alike is in `tests/verify`."""

from __future__ import annotations

from tests.verify.findings import findings


def test_a_region_that_stays_open_is_reported_at_its_brace() -> None:
    """MLIR reports the end of the file, where nothing can be mended."""
    message = "error: expected '}' to close the region that begins here"
    assert findings("func.func @f() {\n  return\n") == [f"1:16: {message}"]
    assert findings("module @m {\nfunc.func @f() {\n  return\n}\n") == [f"1:11: {message}"]


def test_a_body_of_which_nothing_can_be_read_is_not_called_empty() -> None:
    assert findings("func.func @f() {\n  ^^^\n}\n") == ["2:3: error: invalid block name"]
