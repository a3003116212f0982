"""What is told of the runs of `tests/fixtures/recording/`; `make goldens` rewrites these."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.recording.told import FIXTURES, answers


def fixtures() -> list[Path]:
    return sorted(FIXTURES.glob("*.mlir"))


def goldens() -> Iterator[tuple[Path, str]]:
    for path in fixtures():
        yield path.with_suffix(".told"), answers(path)
