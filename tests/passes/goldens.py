"""The page of the passes, as they describe themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fathom.passes.documentation import markdown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "passes.md"


def goldens() -> Iterator[tuple[Path, str]]:
    yield PAGE, markdown()
