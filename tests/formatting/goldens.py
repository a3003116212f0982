"""How Fathom formats each fixture in `tests/fixtures/formatting/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fathom.context import default_context
from fathom.formatting.texts import formatted

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "formatting"


def fixtures() -> list[Path]:
    """The inputs."""
    return sorted(FIXTURES.glob("*.mlir"))


def text_of(path: Path) -> str:
    """The text of a file with the line ends that it has."""
    return path.read_bytes().decode("utf-8")


def expected_path(path: Path) -> Path:
    return path.with_suffix(".expected")


def goldens() -> Iterator[tuple[Path, str]]:
    for path in fixtures():
        yield expected_path(path), formatted(text_of(path), default_context())
