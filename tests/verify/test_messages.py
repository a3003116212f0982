"""The first mistake of names, types, syntax and verification is what mlir-opt 22 finds: same place, words and notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.findings import findings, oracle_findings, pieces
from tests.verify.goldens import expected_path, fixtures

FIXTURES = [path for area in ("elaborate", "verify") for path in fixtures(area)]
CASES = [
    pytest.param(text, expected, id=f"{path.stem}-{number}")
    for path in FIXTURES
    for number, (text, expected) in enumerate(
        zip(pieces(path.read_text()), pieces(expected_path(path).read_text()), strict=True)
    )
]


def check_agreement(text: str, expected: list[str]) -> None:
    """Fathom's findings begin with those expected; it may add notes of its own, but no mistake."""
    ours = findings(text)
    assert ours[: len(expected)] == expected, text
    assert bool(ours) == bool(expected), text


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_first_mistake(text: str, expected: str) -> None:
    check_agreement(text, expected.splitlines())


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_goldens_are_what_mlir_opt_says(path: Path) -> None:
    of_oracle = oracle_findings(pieces(path.read_text()))
    assert of_oracle == [piece.splitlines() for piece in pieces(expected_path(path).read_text())]
