"""The first mistake of names, types and syntax is what mlir-opt 22 finds, at the same place and in the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.findings import findings, oracle_findings, pieces
from tests.verify.goldens import expected_path, fixtures

CASES = [
    pytest.param(text, expected, id=f"{path.stem}-{number}")
    for path in fixtures("elaborate")
    for number, (text, expected) in enumerate(
        zip(pieces(path.read_text()), pieces(expected_path(path).read_text()), strict=True)
    )
]


def check_agreement(text: str, expected: list[str]) -> None:
    """Fathom's findings begin with those expected; it may add notes of its own, but no mistake."""
    found = findings(text)
    assert found[: len(expected)] == expected, text
    assert bool(found) == bool(expected), text


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_first_mistake(text: str, expected: str) -> None:
    check_agreement(text, expected.splitlines())


@pytest.mark.parametrize("path", fixtures("elaborate"), ids=lambda path: path.stem)
def test_goldens_are_what_mlir_opt_says(path: Path) -> None:
    found = oracle_findings(pieces(path.read_text()))
    assert found == [each.splitlines() for each in pieces(expected_path(path).read_text())]


def test_a_region_that_stays_open_is_reported_at_its_brace() -> None:
    """MLIR reports the end of the file, where nothing can be mended."""
    message = "error: expected '}' to close the region that begins here"
    assert findings("func.func @f() {\n  return\n") == [f"1:16: {message}"]
    assert findings("module @m {\nfunc.func @f() {\n  return\n}\n") == [f"1:11: {message}"]
